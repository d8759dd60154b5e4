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

export const ZIP_FORMAT: ZipLimits = { bytes: FULL_32, contentBytes: FULL_32 - MiB, entries: FULL_16 }
/** The directory is made in blocks of this size. */
export const BLOCK_BYTES = 256 * KiB
/** 4.5: ZIP64. */
const VERSION = 45
/** Made on Unix, so that the upper half of the external attributes is a mode. */
const MADE_BY = (3 << 8) | VERSION
/** Bit 3: checksum and sizes follow the content. Bit 11: names are UTF-8. */
const FLAGS = 0x0808
const FILE_MODE = 0o100_644 << 16
const FOLDER_MODE = (0o040_755 << 16) | 0x10
const TIME_EXTRA_BYTES = 9

/**
 * The pieces that a ZIP64 archive of stored entries has around its content. The length of each is known without its checksum.
 * Format: APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3.
 */
export function localHeader(entry: ZipEntry, limits: ZipLimits): Buffer {
  const isBig = isBigEntry(entry, limits)
  const name = Buffer.from(entry.name)
  const extra = Buffer.concat([isBig ? zip64Extra([0, 0]) : Buffer.alloc(0), timeExtra(entry.modifiedMs)])
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x0403_4b50, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt32LE(dosTime(entry.modifiedMs), 10)
  if (isBig) head.fill(0xff, 18, 26)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, name, extra])
}

export function localHeaderBytes(entry: ZipEntry, limits: ZipLimits): number {
  return 30 + Buffer.byteLength(entry.name) + (isBigEntry(entry, limits) ? 20 : 0) + TIME_EXTRA_BYTES
}

/** Stands behind the content. */
export function descriptor(entry: ZipEntry, crc: number, limits: ZipLimits): Buffer {
  const bytes = Buffer.alloc(descriptorBytes(entry, limits))
  bytes.writeUInt32LE(0x0807_4b50, 0)
  bytes.writeUInt32LE(crc, 4)
  if (isBigEntry(entry, limits)) {
    bytes.writeBigUInt64LE(BigInt(entry.size), 8)
    bytes.writeBigUInt64LE(BigInt(entry.size), 16)
  } else {
    bytes.writeUInt32LE(entry.size, 8)
    bytes.writeUInt32LE(entry.size, 12)
  }
  return bytes
}

export function descriptorBytes(entry: ZipEntry, limits: ZipLimits): number {
  return isBigEntry(entry, limits) ? 24 : 16
}

interface Recorded {
  readonly entry: ZipEntry
  /** Of its header in the archive. */
  readonly offset: number
  readonly crc: number
}

/** What the directory says of an entry. */
export function directoryRecord({ entry, offset, crc }: Recorded, limits: ZipLimits): Buffer {
  const { size, modifiedMs } = entry
  const limit = limits.bytes
  const name = Buffer.from(entry.name)
  const wide = [...(size >= limit ? [size, size] : []), ...(offset >= limit ? [offset] : [])]
  const extra = Buffer.concat([wide.length > 0 ? zip64Extra(wide) : Buffer.alloc(0), timeExtra(modifiedMs)])
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x0201_4b50, 0)
  record.writeUInt16LE(MADE_BY, 4)
  record.writeUInt16LE(VERSION, 6)
  record.writeUInt16LE(FLAGS, 8)
  record.writeUInt32LE(dosTime(modifiedMs), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(size >= limit ? FULL_32 : size, 20)
  record.writeUInt32LE(size >= limit ? FULL_32 : size, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE((entry.name.endsWith('/') ? FOLDER_MODE : FILE_MODE) >>> 0, 38)
  record.writeUInt32LE(offset >= limit ? FULL_32 : offset, 42)
  return Buffer.concat([record, name, extra])
}

export function directoryRecordBytes(entry: ZipEntry, offset: number, limits: ZipLimits): number {
  const fields = (entry.size >= limits.bytes ? 2 : 0) + (offset >= limits.bytes ? 1 : 0)
  return 46 + Buffer.byteLength(entry.name) + (fields > 0 ? 4 + 8 * fields : 0) + TIME_EXTRA_BYTES
}

export interface DirectoryEnd {
  readonly count: number
  readonly bytes: number
  readonly start: number
}

/** What the archive ends with. */
export function endRecords({ count, bytes, start }: DirectoryEnd, limits: ZipLimits): Buffer {
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

function isBigEntry({ size }: ZipEntry, limits: ZipLimits): boolean {
  return size >= limits.contentBytes
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
  const extra = Buffer.alloc(TIME_EXTRA_BYTES)
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
