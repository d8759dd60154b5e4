import { crc32 } from 'node:zlib'
import { KiB, MiB } from '@godwit/base'

/** One entry to be packed. Folders end with '/' and have no content. */
export interface ZipEntry {
  readonly name: string
  readonly modifiedMs: number
  /** Bytes; known before, because the header must say whether 64-bit fields follow. */
  readonly size: number
}

const FULL_32 = 0xffff_ffff
const FULL_16 = 0xffff

/** From where on 64-bit fields take over. A test lowers them, so that a small archive has all of those. */
export interface ZipLimits {
  /** Of sizes and offsets. */
  readonly bytes: number
  /** Of announced content: below it, less a margin, 32-bit fields hold the size. */
  readonly contentBytes: number
  readonly entries: number
}

const FORMAT: ZipLimits = { bytes: FULL_32, contentBytes: FULL_32 - MiB, entries: FULL_16 }
/** 4.5: ZIP64. */
const VERSION = 45
/** Made on Unix, so that the upper half of the external attributes is a mode. */
const MADE_BY = (3 << 8) | VERSION
/** Bit 3: checksum and sizes follow the content. Bit 11: names are UTF-8. */
const FLAGS = 0x0808
const FILE_MODE = 0o100_644 << 16
const FOLDER_MODE = (0o040_755 << 16) | 0x10
/** The directory grows in blocks of this size. */
const BLOCK_BYTES = 256 * KiB

/**
 * Writes a ZIP64 archive of stored entries while its files are being read: nothing is kept but the directory, about 100 bytes
 * an entry. It makes bytes only; who calls it reads and sends. Format: APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3.
 */
export class ZipWriter {
  readonly #limits: ZipLimits
  readonly #directory: Buffer[] = []
  #block = Buffer.alloc(0)
  #used = 0
  #directoryBytes = 0
  #count = 0
  #offset = 0
  #open: { entry: ZipEntry; offset: number; crc: number; size: number } | undefined

  constructor(limits = FORMAT) {
    this.#limits = limits
  }

  /** Header of the next entry; feed its content to content() and close it with end(). */
  begin(entry: ZipEntry): Buffer {
    this.#open = { entry, offset: this.#offset, crc: 0, size: 0 }
    const name = Buffer.from(entry.name)
    const extra = Buffer.concat([
      this.#isBig(entry) ? zip64Extra([0, 0]) : Buffer.alloc(0),
      timeExtra(entry.modifiedMs),
    ])
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x0403_4b50, 0)
    head.writeUInt16LE(VERSION, 4)
    head.writeUInt16LE(FLAGS, 6)
    head.writeUInt32LE(dosTime(entry.modifiedMs), 10)
    if (this.#isBig(entry)) head.fill(0xff, 18, 26)
    head.writeUInt16LE(name.length, 26)
    head.writeUInt16LE(extra.length, 28)
    return this.#counted(Buffer.concat([head, name, extra]))
  }

  /** Notes a piece of content that is sent as it is. */
  content(chunk: Uint8Array): void {
    if (!this.#open) throw new Error('content without an entry')
    this.#open.crc = crc32(chunk, this.#open.crc)
    this.#open.size += chunk.length
    this.#offset += chunk.length
  }

  /** Descriptor behind the content. @throws Error when the content was not as long as announced */
  end(): Buffer {
    const open = this.#open
    if (!open) throw new Error('no entry to end')
    if (open.size !== open.entry.size) throw new Error('a packed file was not as long as announced')
    const big = this.#isBig(open.entry)
    const descriptor = Buffer.alloc(big ? 24 : 16)
    descriptor.writeUInt32LE(0x0807_4b50, 0)
    descriptor.writeUInt32LE(open.crc, 4)
    if (big) {
      descriptor.writeBigUInt64LE(BigInt(open.size), 8)
      descriptor.writeBigUInt64LE(BigInt(open.size), 16)
    } else {
      descriptor.writeUInt32LE(open.size, 8)
      descriptor.writeUInt32LE(open.size, 12)
    }
    this.#record(open)
    this.#open = undefined
    return this.#counted(descriptor)
  }

  /** The directory, in pieces: without it the archive is not valid. */
  *finish(): Generator<Buffer> {
    const start = this.#offset
    if (this.#used > 0) this.#directory.push(this.#block.subarray(0, this.#used))
    yield* this.#directory
    yield endRecords({ count: this.#count, bytes: this.#directoryBytes, start }, this.#limits)
  }

  #isBig({ size }: ZipEntry): boolean {
    return size >= this.#limits.contentBytes
  }

  #counted(bytes: Buffer): Buffer {
    this.#offset += bytes.length
    return bytes
  }

  #record({ entry, offset, crc, size }: { entry: ZipEntry; offset: number; crc: number; size: number }): void {
    const name = Buffer.from(entry.name)
    const limit = this.#limits.bytes
    const wide = [...(size >= limit ? [size, size] : []), ...(offset >= limit ? [offset] : [])]
    const extra = Buffer.concat([wide.length > 0 ? zip64Extra(wide) : Buffer.alloc(0), timeExtra(entry.modifiedMs)])
    const at = this.#room(46 + name.length + extra.length)
    const block = this.#block
    block.writeUInt32LE(0x0201_4b50, at)
    block.writeUInt16LE(MADE_BY, at + 4)
    block.writeUInt16LE(VERSION, at + 6)
    block.writeUInt16LE(FLAGS, at + 8)
    block.writeUInt16LE(0, at + 10)
    block.writeUInt32LE(dosTime(entry.modifiedMs), at + 12)
    block.writeUInt32LE(crc, at + 16)
    block.writeUInt32LE(size >= limit ? FULL_32 : size, at + 20)
    block.writeUInt32LE(size >= limit ? FULL_32 : size, at + 24)
    block.writeUInt16LE(name.length, at + 28)
    block.writeUInt16LE(extra.length, at + 30)
    block.fill(0, at + 32, at + 38)
    block.writeUInt32LE((entry.name.endsWith('/') ? FOLDER_MODE : FILE_MODE) >>> 0, at + 38)
    block.writeUInt32LE(offset >= limit ? FULL_32 : offset, at + 42)
    name.copy(block, at + 46)
    extra.copy(block, at + 46 + name.length)
    this.#count++
  }

  /** Room for a record in the directory. @returns where it begins in the block */
  #room(bytes: number): number {
    if (this.#used + bytes > this.#block.length) {
      if (this.#used > 0) this.#directory.push(this.#block.subarray(0, this.#used))
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes))
      this.#used = 0
    }
    const at = this.#used
    this.#used += bytes
    this.#directoryBytes += bytes
    return at
  }
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return extra
}

/** Info-ZIP's extended timestamp: seconds of Unix time, because the DOS fields know no zone. */
function timeExtra(modifiedMs: number): Buffer {
  const extra = Buffer.alloc(9)
  extra.writeUInt16LE(0x5455, 0)
  extra.writeUInt16LE(5, 2)
  extra.writeUInt8(1, 4)
  extra.writeUInt32LE(Math.min(FULL_32, Math.max(0, Math.floor(modifiedMs / 1000))), 5)
  return extra
}

/** MS-DOS time in the lower, date in the upper half; from 1980 to 2107, in steps of 2 seconds. */
function dosTime(modifiedMs: number): number {
  const date = new Date(modifiedMs)
  const year = Math.min(127, Math.max(0, date.getUTCFullYear() - 1980))
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

interface DirectoryEnd {
  readonly count: number
  readonly bytes: number
  readonly start: number
}

function endRecords({ count, bytes, start }: DirectoryEnd, limits: ZipLimits): Buffer {
  const isWide = count >= limits.entries || bytes >= limits.bytes || start >= limits.bytes
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(count >= limits.entries ? FULL_16 : count, 8)
  end.writeUInt16LE(count >= limits.entries ? FULL_16 : count, 10)
  end.writeUInt32LE(bytes >= limits.bytes ? FULL_32 : bytes, 12)
  end.writeUInt32LE(start >= limits.bytes ? FULL_32 : start, 16)
  if (!isWide) return end
  const wide = Buffer.alloc(56 + 20)
  wide.writeUInt32LE(0x0606_4b50, 0)
  wide.writeBigUInt64LE(44n, 4)
  wide.writeUInt16LE(MADE_BY, 12)
  wide.writeUInt16LE(VERSION, 14)
  wide.writeBigUInt64LE(BigInt(count), 24)
  wide.writeBigUInt64LE(BigInt(count), 32)
  wide.writeBigUInt64LE(BigInt(bytes), 40)
  wide.writeBigUInt64LE(BigInt(start), 48)
  wide.writeUInt32LE(0x0706_4b50, 56)
  wide.writeBigUInt64LE(BigInt(start + bytes), 64)
  wide.writeUInt32LE(1, 72)
  return Buffer.concat([wide, end])
}
