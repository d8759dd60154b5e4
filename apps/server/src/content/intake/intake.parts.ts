import type { TreeNode } from '@godwit/base'
import type { ByteSource } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { asBuffer, Blake3Hasher, contradicts, LeafHasher, nodeOf } from '../tree-hashes/index.ts'
import type { LiveUpload } from './live-uploads.ts'
import { partSpan, type PartSpan } from './part-plan.ts'
import { failOpenUpload } from './intake.transitions.ts'
import { asWriter, type Writing } from './writers.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { closedBecause, hasReason, partFault } from './intake.errors.ts'
import { uploadsStore } from './intake.store.ts'

export interface PartRequest {
  readonly offset: number
  /** Announced by the sender; undefined when it did not say. */
  readonly length: number | undefined
  /** BLAKE3 of the bytes of this request, hexadecimal. With it the bytes count all or not at all. */
  readonly partHash: string | undefined
  readonly source: ByteSource
  readonly signal: AbortSignal
}

export interface PartReceipt {
  readonly ranges: Array<[number, number]>
  /** Tree node over the part's leaves; '' when the bytes are no whole subtree. */
  readonly hash: string
}

/**
 * Takes one part. When it returns, the bytes and the record of them survive a power cut.
 * @throws AppError UPLOAD_PART_INVALID, UPLOAD_HASH_MISMATCH, UPLOAD_FAILED, UPLOAD_BUSY, STORAGE_FULL
 */
export async function writePart(deps: IntakeDeps, live: LiveUpload, request: PartRequest): Promise<PartReceipt> {
  const closed = closedBecause(live.state)
  if (closed !== undefined) throw closed
  const { size } = live.row
  if (size === null) throw new AppError('UPLOAD_SIZE_INVALID')
  const durable = live.durable.toArray()
  const rule = {
    size,
    partSize: live.row.part_size,
    freeParts: live.store.capabilities.freeParts,
    isDurableEnd: (offset: number) => durable.some(({ end }) => end === offset),
  }
  const span = partSpan(rule, request.offset, request.length)
  return asWriter(deps, live, { span, signal: request.signal }, (writing) => {
    // Completed or revoked while it waited for its turn.
    const closedMeanwhile = closedBecause(live.state)
    if (closedMeanwhile !== undefined) throw closedMeanwhile
    return new PartWriter(deps, live, { ...request, ...writing }, span).run()
  })
}

/** Progress inside a part is recorded this often, so that a cut on a slow line costs seconds and not the part. */
const RECORD_EVERY_MS = 1_000

class PartWriter {
  readonly #deps: IntakeDeps
  readonly #live: LiveUpload
  readonly #request: PartRequest & Writing
  readonly #span: PartSpan
  readonly #leaves: LeafHasher
  readonly #whole: Blake3Hasher | undefined
  /** Where writing begins: bytes before it are durable already and are only compared. */
  readonly #from: number
  #durableTo: number
  #recordedTo: number
  #recordedAt: number
  #recording: Promise<void> | undefined

  constructor(deps: IntakeDeps, live: LiveUpload, request: PartRequest & Writing, span: PartSpan) {
    this.#deps = deps
    this.#live = live
    this.#request = request
    this.#span = span
    this.#leaves = new LeafHasher(span.start, live.row.size ?? undefined)
    this.#whole = request.partHash === undefined ? undefined : new Blake3Hasher()
    this.#from = live.durable.missing(span.start, span.end)[0]?.start ?? span.end
    this.#durableTo = this.#from
    this.#recordedTo = this.#from
    this.#recordedAt = deps.clock.monotonic()
  }

  async run(): Promise<PartReceipt> {
    try {
      await this.#receive()
      await this.#check()
      await this.#record(this.#span.end)
    } catch (thrown) {
      await this.#keepDurable()
      if (hasReason(thrown, 'upload-failed', 'upload-gone')) await failOpenUpload(this.#deps, this.#live)
      throw partFault(thrown)
    }
    return { ranges: this.#live.ranges, hash: nodeOf(this.#leaves.leaves(this.#span.start, this.#span.end)) }
  }

  async #receive(): Promise<void> {
    const { signal, source } = this.#request
    const { index, end } = this.#span
    const tap = (chunk: Uint8Array): void => {
      this.#leaves.update(chunk)
      this.#whole?.update(asBuffer(chunk))
    }
    if (this.#from === end) {
      await drain(source, { length: end - this.#span.start, tap, signal })
      return
    }
    const isFresh = this.#from === this.#span.start
    await this.#live.store.writePart(
      this.#live.stored,
      { index, offset: this.#from, length: end - this.#from },
      isFresh ? source : afterSkipping(source, this.#from - this.#span.start, tap),
      { signal, onDurable: (length) => this.#noteDurable(length), ...(isFresh ? { tap } : {}) },
    )
  }

  /** @throws AppError UPLOAD_HASH_MISMATCH */
  async #check(): Promise<void> {
    const { partHash } = this.#request
    if (partHash !== undefined && this.#whole?.digest('hex') !== partHash.toLowerCase()) {
      throw new AppError('UPLOAD_HASH_MISMATCH', { offset: this.#span.start })
    }
    const seen = this.#leaves.leaves(this.#span.start, this.#span.end)
    if (!contradicts(this.#live.nodes, seen)) return
    // One of two deliveries of the same bytes was damaged and nobody can say which: neither counts.
    await forgetSpans(this.#deps, this.#live, this.#span)
    throw new AppError('UPLOAD_HASH_MISMATCH', { offset: this.#span.start })
  }

  #noteDurable(length: number): void {
    this.#durableTo = this.#from + length
    const { clock } = this.#deps
    if (!this.#mayRecordPieces() || this.#recording || clock.monotonic() - this.#recordedAt < RECORD_EVERY_MS) return
    this.#recording = this.#record(this.#durableTo)
      // The end of the part records it again and meets the same fault.
      .catch((thrown: unknown) => this.#deps.log.warn({ err: thrown }, 'progress of a part was not recorded'))
      .finally(() => (this.#recording = undefined))
  }

  /** Where parts are all or nothing, or only right as a whole, a piece of one does not count. */
  #mayRecordPieces(): boolean {
    return this.#live.store.capabilities.freeParts && this.#request.partHash === undefined
  }

  /** After a failure: what is durable stays, so that the sender goes on there. */
  async #keepDurable(): Promise<void> {
    await this.#recording
    if (!this.#mayRecordPieces() || this.#durableTo <= this.#recordedTo || this.#live.state !== 'open') return
    if (this.#durableTo === this.#span.end) return
    await this.#record(this.#durableTo)
  }

  async #record(end: number): Promise<void> {
    await (end === this.#span.end ? this.#recording : undefined)
    if (end <= this.#recordedTo) return
    const span = { uploadId: this.#live.id, start: this.#from, end, nodes: this.#nodes(end) }
    await this.#deps.acks.record(span, this.#request.fence)
    this.#live.addSpan(span)
    this.#deps.traffic.moved(this.#live.row, end - this.#recordedTo)
    this.#recordedTo = end
    this.#recordedAt = this.#deps.clock.monotonic()
  }

  /** Only leaves whose every byte was written now: the others are read back before the file becomes visible. */
  #nodes(end: number): TreeNode[] {
    return this.#leaves.leaves(this.#from, end)
  }
}

/** Forgets that these bytes are durable. */
async function forgetSpans(deps: IntakeDeps, live: LiveUpload, span: PartSpan): Promise<void> {
  await uploadsStore.removeSpansIn(deps.db, live.id, span)
  live.replaceSpans(await uploadsStore.spansOf(deps.db, live.id))
}

/** Shows every byte to `tap` and passes on those after the first `count`. */
export async function* afterSkipping(
  source: ByteSource,
  count: number,
  tap: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let skip = count
  for await (const chunk of source) {
    tap(chunk)
    if (skip < chunk.length) yield skip === 0 ? chunk : chunk.subarray(skip)
    skip = Math.max(0, skip - chunk.length)
  }
  if (skip > 0) throw new Error('ended early')
}

interface Drain {
  readonly length: number
  readonly tap: (chunk: Uint8Array) => void
  readonly signal: AbortSignal
}

/** Reads a part that is stored already, to compare it. @throws AppError UPLOAD_PART_INVALID; the signal's reason */
async function drain(source: ByteSource, { length, tap, signal }: Drain): Promise<void> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
  signal.throwIfAborted()
  signal.addEventListener('abort', stop, { once: true })
  let taken = 0
  try {
    const chunks = source[Symbol.asyncIterator]()
    for (;;) {
      const step = await Promise.race([chunks.next(), stopped])
      if (step.done === true || taken > length) break
      taken += step.value.length
      if (taken <= length) tap(step.value)
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (taken !== length) throw new AppError('UPLOAD_PART_INVALID', { reason: 'length', expectedBytes: length })
}
