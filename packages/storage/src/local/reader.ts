import { KiB, MiB } from '@godwit/base'
import { StorageError } from '../errors.ts'
import type { ByteSpan, Entry, ObjectReader } from '../object-store.ts'
import { asStorageError } from './disk-errors.ts'
import type { Disk } from './disk.ts'

/** Read size: 1 MiB reaches 3.0-3.3 GB/s over http where streams of 64 KiB stop at 0.9. */
const CHUNK_BYTES = MiB
/** Spans up to this are read into one buffer of this size. */
const SMALL_BYTES = 64 * KiB
/** Bytes of either size that are kept for the next download. */
const KEPT_BYTES = 64 * MiB

/** Buffers that are reused: allocating and clearing them costs more than the read, and what is thrown away stays in memory for long. */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>([CHUNK_BYTES, SMALL_BYTES].map((bytes) => [bytes, []]))

  take(bytes: number): Buffer {
    return this.#free.get(bytes)?.pop() ?? Buffer.allocUnsafeSlow(bytes)
  }

  give(buffer: Buffer): void {
    const free = this.#free.get(buffer.length)
    if (free !== undefined && free.length < KEPT_BYTES / buffer.length) free.push(buffer)
  }
}

export interface ReaderDeps {
  readonly disk: Disk
  readonly pool: BufferPool
  /** Whether the open file is still the one that `entry` describes. */
  readonly isUnchanged: () => Promise<boolean>
}

/** Reads an open file by position; owns the descriptor. */
export class LocalReader implements ObjectReader {
  readonly entry: Entry
  readonly #deps: ReaderDeps
  readonly #file: number
  readonly #reading = new Set<Promise<unknown>>()
  #closed = false

  constructor(deps: ReaderDeps, file: number, entry: Entry) {
    this.#deps = deps
    this.#file = file
    this.entry = entry
  }

  get descriptor(): number {
    return this.#file
  }

  async *stream(span: ByteSpan = {}, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    const end = Math.min(span.end ?? this.entry.size, this.entry.size)
    let at = span.start ?? 0
    if (at >= end) return
    if (span.isFrugal === true) return yield* this.#frugal({ start: at, end }, signal)
    const buffers = this.#buffers(end - at)
    let ahead: Promise<Uint8Array> | undefined = this.#fill(buffers[0], at, end)
    try {
      for (let turn = 1; ahead !== undefined; turn++) {
        const chunk: Uint8Array = await ahead
        signal?.throwIfAborted()
        at += chunk.length
        // The other buffer fills while this one is being sent.
        ahead = at < end ? this.#fill(buffers[turn % 2 === 0 ? 0 : 1], at, end) : undefined
        if (ahead === undefined && !(await this.#deps.isUnchanged())) throw this.#changed()
        yield chunk
      }
    } finally {
      // A buffer that the kernel still writes to must not go back to the pool.
      await ahead?.catch(() => {})
      for (const buffer of new Set(buffers)) this.#deps.pool.give(buffer)
    }
  }

  /** One small buffer and nothing read ahead. */
  async *#frugal({ start, end }: Required<Pick<ByteSpan, 'start' | 'end'>>, signal?: AbortSignal) {
    const buffer = this.#deps.pool.take(SMALL_BYTES)
    try {
      for (let at = start; at < end;) {
        const chunk = await this.#fill(buffer, at, end)
        signal?.throwIfAborted()
        at += chunk.length
        if (at >= end && !(await this.#deps.isUnchanged())) throw this.#changed()
        yield chunk
      }
    } finally {
      this.#deps.pool.give(buffer)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    // Closing under a running read would let it read from whatever file gets the descriptor next.
    await Promise.allSettled(this.#reading)
    await this.#deps.disk.close(this.#file)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #buffers(length: number): readonly [Buffer, Buffer] {
    const { pool } = this.#deps
    const first = pool.take(length <= SMALL_BYTES ? SMALL_BYTES : CHUNK_BYTES)
    return length <= CHUNK_BYTES ? [first, first] : [first, pool.take(CHUNK_BYTES)]
  }

  #fill(buffer: Buffer, at: number, end: number): Promise<Uint8Array> {
    const filled = this.#read(buffer.subarray(0, Math.min(buffer.length, end - at)), at)
    this.#reading.add(filled)
    const forget = (): boolean => this.#reading.delete(filled)
    filled.then(forget, forget)
    return filled
  }

  async #read(into: Buffer, at: number): Promise<Uint8Array> {
    if (this.#closed) throw new Error('read from a closed reader')
    let count = 0
    try {
      while (count < into.length) {
        const got = await this.#deps.disk.read(this.#file, into.subarray(count), at + count)
        if (got === 0) throw this.#changed()
        count += got
      }
    } catch (error) {
      throw asStorageError(error, this.entry.key)
    }
    return into
  }

  #changed(): StorageError {
    return new StorageError('conflict', { key: this.entry.key })
  }
}
