import { crc32 } from 'node:zlib'
import {
  BLOCK_BYTES,
  descriptor,
  directoryRecord,
  endRecords,
  localHeader,
  ZIP_FORMAT,
  type ZipEntry,
} from './zip-format.ts'

/**
 * Writes a ZIP64 archive of stored entries while its files are being read: nothing is kept but the directory, about 100 bytes
 * an entry. It makes bytes only; who calls it reads and sends.
 */
export class ZipWriter {
  readonly #limits: typeof ZIP_FORMAT
  readonly #directory: Buffer[] = []
  #block = Buffer.alloc(0)
  #used = 0
  #directoryBytes = 0
  #count = 0
  #offset = 0
  #open: { entry: ZipEntry; offset: number; crc: number; size: number } | undefined

  constructor(limits = ZIP_FORMAT) {
    this.#limits = limits
  }

  /** Header of the next entry; feed its content to content() and close it with end(). */
  begin(entry: ZipEntry): Buffer {
    this.#open = { entry, offset: this.#offset, crc: 0, size: 0 }
    return this.#counted(localHeader(entry, this.#limits))
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
    this.#record(directoryRecord(open, this.#limits))
    this.#open = undefined
    return this.#counted(descriptor(open.entry, open.crc, this.#limits))
  }

  /** The directory, in pieces: without it the archive is not valid. */
  *finish(): Generator<Buffer> {
    const start = this.#offset
    if (this.#used > 0) this.#directory.push(this.#block.subarray(0, this.#used))
    yield* this.#directory
    yield endRecords({ count: this.#count, bytes: this.#directoryBytes, start }, this.#limits)
  }

  #counted(bytes: Buffer): Buffer {
    this.#offset += bytes.length
    return bytes
  }

  #record(record: Buffer): void {
    if (this.#used + record.length > this.#block.length) {
      if (this.#used > 0) this.#directory.push(this.#block.subarray(0, this.#used))
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, record.length))
      this.#used = 0
    }
    record.copy(this.#block, this.#used)
    this.#used += record.length
    this.#directoryBytes += record.length
    this.#count++
  }
}
