import { KiB, MiB, type Clock } from '@godwit/base'
import { StorageError } from '../errors.ts'
import { canFill, type ByteSource, type WriteOptions } from '../object-store.ts'
import { abortable } from '../source.ts'
import { errnoOf, asStorageError } from './disk-errors.ts'
import { SECTOR_BYTES, type LentBlocks } from '../lent-blocks.ts'
import { BLOCK_BYTES, sectorsAbove, sectorsBelow, type AlignedBlocks } from './aligned-blocks.ts'
import type { Disk } from './disk.ts'

/** Most bytes of one writev. Below 1 MiB the calls cost more than the copying; above it nothing is gained. */
export const BATCH_BYTES = MiB
/** Less than this is not worth a copy into aligned memory. */
const DIRECT_LEAST_BYTES = 64 * KiB
/** Tiny chunks are gathered by count as well: the kernel takes 1,024 at a time. */
const BATCH_CHUNKS = 512
/** Bytes between two flushes. 8 MiB reach the speed of the disk, 1 MiB half of it, 64 KiB a tenth. */
const FLUSH_BYTES = 8 * MiB
/** A slow source gets its bytes acknowledged at least this often, as long as it sends anything. */
const FLUSH_MS = 200
/** ... and at least this much of it: a flush costs the disk the same for one byte. */
const FLUSH_LEAST_BYTES = 64 * KiB

export interface SpanTarget {
  readonly disk: Disk
  readonly clock: Clock
  readonly file: number
  /** The same file, opened for direct writes, and the memory for them. */
  readonly direct: { readonly file: number; readonly blocks: AlignedBlocks; readonly lent: LentBlocks } | undefined
  /** Bytes to gather for one write, at most BATCH_BYTES: fewer while many write, because each keeps two batches. */
  readonly batchBytes: () => number
  readonly key: string
  /** Called before each batch. @throws StorageError 'no-space' */
  readonly admit: (byteCount: number) => Promise<void>
  /** Called when a flush fails: anything written to this file may be lost, and a second flush would hide that. */
  readonly onFlushFailed: () => void
}

/**
 * Writes a source at an offset and makes it durable: batches of 1 MiB, one write under way while the next batch is collected,
 * a flush every 8 MiB beside the following writes. Whole sectors go past the page cache where the filesystem allows it: they
 * are on the disk when the write returns, so the flush has little left to do, and the cache keeps what people read.
 * @param length most bytes to take; more is an error of the source
 * @returns bytes taken, all durable
 * @throws StorageError 'source' when the source fails or is too long; what was durable by then was reported by onDurable
 */
export async function writeSpan(
  target: SpanTarget,
  span: { readonly offset: number; readonly length: number },
  source: ByteSource,
  options: WriteOptions,
): Promise<number> {
  const writer = new SpanWriter(target, span.offset, options.onDurable)
  // Blocks that start between two sectors of the file would have to be copied after all.
  const canLend = target.direct !== undefined && span.offset % SECTOR_BYTES === 0
  if (canLend && canFill(source)) source.fillFrom(target.direct.lent)
  try {
    try {
      await takeAll(writer, span.length, source, options)
    } catch (error) {
      await writer.finish()
      throw error
    }
    return await writer.finish()
  } finally {
    await writer.settle()
  }
}

async function takeAll(writer: SpanWriter, length: number, source: ByteSource, options: WriteOptions): Promise<void> {
  for await (const chunk of abortable(source, options.signal)) {
    if (chunk.length > length - writer.taken)
      throw new StorageError('source', { cause: new Error('longer than announced') })
    options.tap?.(chunk)
    await writer.take(chunk)
  }
}

class SpanWriter {
  readonly #target: SpanTarget
  readonly #offset: number
  #direct: SpanTarget['direct']
  readonly #onDurable: ((length: number) => void) | undefined
  #batch: Uint8Array[] = []
  #batchBytes = 0
  #written = 0
  #durable = 0
  #flushedTo = 0
  #flushedAt: number
  #writing: Promise<void> = Promise.resolve()
  #flushing: Promise<void> | undefined
  /** Bytes taken from the source. */
  taken = 0
  /** The first write or flush that failed. The file is not used after it: a second flush would hide the failure. */
  #failure: { readonly error: unknown } | undefined

  constructor(target: SpanTarget, offset: number, onDurable: ((length: number) => void) | undefined) {
    this.#target = target
    this.#offset = offset
    this.#direct = target.direct
    this.#onDurable = onDurable
    this.#flushedAt = target.clock.monotonic()
  }

  /**
   * Waits while a full batch is already being written, so at most two batches are in memory; one where batches are small
   * because many write: then the others keep the disk busy.
   */
  async take(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return
    this.#batch.push(chunk)
    this.#batchBytes += chunk.length
    this.taken += chunk.length
    const wanted = this.#target.batchBytes()
    const full = this.#batchBytes >= wanted || this.#batch.length >= BATCH_CHUNKS
    if (full) await this.#send('sectors')
    else if (this.#isOverdue()) await this.#send('all')
    if (wanted < BATCH_BYTES) await this.#writing
  }

  /** Writes and flushes what is left. @returns bytes durable */
  async finish(): Promise<number> {
    await this.#send('all')
    await this.#writing
    await this.#flushing
    if (this.#failure === undefined && this.#durable < this.#written) await this.#flush()
    this.#throwFailure()
    return this.#durable
  }

  /** Waits for running calls, so that the descriptor may be closed. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#flushing])
  }

  /** @param what 'sectors' keeps a partial sector at the end for the next batch, so that it starts on a boundary */
  async #send(what: 'all' | 'sectors'): Promise<void> {
    await this.#writing
    this.#throwFailure()
    const end = this.#offset + this.#written + this.#batchBytes
    const kept = what === 'sectors' && this.#direct !== undefined ? end - sectorsBelow(end) : 0
    const size = this.#batchBytes - kept
    if (size <= 0) return
    const batch = between(this.#batch, 0, size)
    // A copy: its memory may be a lent block, which is released with this batch.
    this.#batch = between(this.#batch, size, this.#batchBytes).map((rest) => Buffer.from(rest))
    this.#batchBytes = kept
    this.#writing = this.#write(batch, size)
  }

  /** Never rejects: the next take() or finish() throws the failure. */
  async #write(batch: readonly Uint8Array[], size: number): Promise<void> {
    try {
      await this.#target.admit(size)
      await this.#writeAll(batch, size)
    } catch (error) {
      this.#failure ??= { error: asStorageError(error, this.#target.key) }
      return
    } finally {
      for (const chunk of batch) this.#target.direct?.lent.release(chunk)
    }
    this.#written += size
    const due = this.#written - this.#flushedTo >= FLUSH_BYTES || this.#isOverdue()
    if (due && this.#flushing === undefined && this.#failure === undefined) {
      this.#flushing = this.#flush().finally(() => (this.#flushing = undefined))
    }
  }

  async #writeAll(batch: readonly Uint8Array[], size: number): Promise<void> {
    const begin = this.#offset + this.#written
    const [from, to] = [sectorsAbove(begin) - begin, sectorsBelow(begin + size) - begin]
    const direct = this.#direct
    if (direct === undefined || to - from < DIRECT_LEAST_BYTES) return this.#writeCached(batch, begin)
    await this.#writeCached(between(batch, 0, from), begin)
    if (!(await this.#writeDirect(between(batch, from, to), begin + from))) {
      await this.#writeCached(between(batch, from, to), begin + from)
    }
    await this.#writeCached(between(batch, to, size), begin + to)
  }

  async #writeCached(chunks: readonly Uint8Array[], position: number): Promise<void> {
    const { disk, file, key } = this.#target
    const size = lengthOf(chunks)
    let rest = chunks
    for (let done = 0; done < size;) {
      const count = await disk.write(file, rest, position + done)
      if (count === 0) throw new StorageError('io', { key, cause: new Error('the disk took no byte') })
      done += count
      if (done < size) rest = between(chunks, done, size)
    }
  }

  /** @returns false when the filesystem opens files for direct writes but refuses them: nothing was written then */
  async #writeDirect(chunks: readonly Uint8Array[], position: number): Promise<boolean> {
    const direct = this.#direct
    const size = lengthOf(chunks)
    for (let done = 0; direct !== undefined && done < size;) {
      const piece = between(chunks, done, Math.min(done + BLOCK_BYTES, size))
      const [first] = piece
      const isAligned = piece.length === 1 && first !== undefined && direct.lent.isAligned(first)
      const count = isAligned
        ? await this.#writeBlock(direct.file, first, position + done)
        : await direct.blocks.use((block) => this.#writeBlock(direct.file, gathered(piece, block), position + done))
      if (count === undefined) return false
      done += count
    }
    return direct !== undefined
  }

  /** @returns bytes taken, whole sectors; undefined when direct writes do not work here */
  async #writeBlock(file: number, block: Uint8Array, position: number): Promise<number | undefined> {
    try {
      // A nearly full disk may write less than requested; the rest continues at a sector again.
      const count = sectorsBelow(await this.#target.disk.write(file, [block], position))
      if (count > 0) return count
    } catch (error) {
      if (errnoOf(error) !== 'EINVAL') throw error
    }
    this.#direct = undefined
    return undefined
  }

  /** Never rejects, as #write. */
  async #flush(): Promise<void> {
    const { disk, clock, file, key, onFlushFailed } = this.#target
    const upTo = this.#written
    this.#flushedTo = upTo
    this.#flushedAt = clock.monotonic()
    try {
      await disk.flush(file)
    } catch (cause) {
      onFlushFailed()
      const full = ['ENOSPC', 'EDQUOT'].includes(errnoOf(cause) ?? '')
      this.#failure ??= { error: new StorageError(full ? 'no-space' : 'upload-failed', { key, cause }) }
      return
    }
    this.#durable = upTo
    this.#onDurable?.(upTo)
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #isOverdue(): boolean {
    if (this.#onDurable === undefined) return false
    const waiting = this.#written + this.#batchBytes - this.#flushedTo
    return waiting >= FLUSH_LEAST_BYTES && this.#target.clock.monotonic() - this.#flushedAt >= FLUSH_MS
  }
}

/** The bytes [start, end) of the chunks, without copying. */
function between(chunks: readonly Uint8Array[], start: number, end: number): Uint8Array[] {
  const found: Uint8Array[] = []
  let at = 0
  for (const chunk of chunks) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, chunk.length)]
    if (from < to) found.push(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to))
    at += chunk.length
  }
  return found
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** The chunks one after the other in a block's memory. */
function gathered(chunks: readonly Uint8Array[], block: Uint8Array): Uint8Array {
  let at = 0
  for (const chunk of chunks) {
    block.set(chunk, at)
    at += chunk.length
  }
  return block.subarray(0, at)
}
