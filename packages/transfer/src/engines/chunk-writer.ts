import type { ByteChannel } from '@godwit/transport/node'
import { HASH_BYTES } from '../hashes/tree-hash.ts'
import type { Chunk } from '../manifests/layout.ts'
import type { NumberRange } from '../messages/messages.ts'
import type { FileFault, Target, TargetSpan } from '../targets/target.ts'
import { type ArrivingChunk, ArrivingChunks } from './arriving-chunks.ts'
import { CommitQueue } from './commit-queue.ts'
import { Confirmations } from './confirmations.ts'
import type { MonotonicMs } from './engine.types.ts'
import { GrowingWindow } from './growing-window.ts'
import type { IncomingManifest } from './incoming-manifest.ts'
import { NumberSet } from './number-set.ts'
import type { ReceiveTally } from './receive-tally.ts'
import { isVoid } from './transfer-faults.ts'
import { blockOffsets, partsOf } from './wanted-pieces.ts'

export interface WriterDeps {
  readonly channel: ByteChannel
  readonly target: Target
  readonly manifest: IncomingManifest
  readonly tally: ReceiveTally
  readonly nowMs: MonotonicMs
  /** Bytes by which the channel's window may grow while the target keeps up. */
  readonly windowGrowth: () => number
}

export interface WriterEvents {
  /** Files that are left as they are. */
  left(): NumberSet
  filesFailed(faults: readonly FileFault[]): void
  sourceFailed(file: number): void
  /** These chunks are safe. */
  confirmed(chunks: readonly NumberRange[]): void
  /** Something was written or committed. */
  settled(): void
  failed(error: unknown): void
}

/** Puts the chunks of a transfer together and writes them to the target; acknowledges each once it is safe. */
export class ChunkWriter {
  readonly #deps: WriterDeps
  readonly #events: WriterEvents
  readonly #arriving: ArrivingChunks
  readonly #commits: CommitQueue
  readonly #confirmations: Confirmations
  readonly #window: GrowingWindow
  /** With the target, or not to come at all: no byte of them is wanted again. */
  readonly #written = new NumberSet()
  #busyMs = 0
  #waitingBytes = 0

  constructor(deps: WriterDeps, events: WriterEvents) {
    this.#deps = deps
    this.#events = events
    this.#confirmations = new Confirmations((chunks) => events.confirmed(chunks))
    this.#arriving = new ArrivingChunks(deps.manifest.layout, {
      isWritten: (chunk) => this.#written.has(chunk),
      left: (chunk) => partsOf(chunk, ({ file }) => events.left().has(file)),
      complete: (arrived, hashes) => this.#write(arrived, hashes),
      superfluous: (bytes) => deps.channel.consumed(bytes),
    })
    this.#commits = new CommitQueue({
      commit: () => deps.target.commit(),
      committed: ({ committed, failed, busyMs }, chunks) => {
        this.#busyMs += busyMs
        deps.tally.filesDone += committed
        events.filesFailed(failed)
        for (const chunk of chunks) this.#count(chunk)
      },
      settled: () => events.settled(),
      failed: (error) => events.failed(error),
    })
    this.#window = new GrowingWindow({
      most: deps.windowGrowth,
      nowMs: deps.nowMs,
      srttUs: () => deps.channel.stats().udp?.srttUs ?? 0,
    })
  }

  /** File bytes that arrived, repeated ones included. */
  get usedBytes(): number {
    return this.#arriving.usedBytes
  }

  /** Bytes with the target that are not written yet. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Time the target has worked, milliseconds. */
  get busyMs(): number {
    return this.#busyMs
  }

  get chunksWritten(): number {
    return this.#written.size
  }

  isWritten(chunk: number): boolean {
    return this.#written.has(chunk)
  }

  /** @throws TransferError LIMIT_EXCEEDED */
  take(offset: number, bytes: Uint8Array): void {
    this.#arriving.take(offset, bytes)
  }

  /** The list has grown: bytes that came before it may have their place now. */
  takeEarly(): void {
    this.#arriving.takeEarly()
  }

  addLeaves(chunk: number, hashes: Uint8Array): void {
    this.#arriving.addLeaves(chunk, hashes)
  }

  /** The chunk is not wanted any more; what has arrived is dropped. */
  skip(chunk: Chunk): void {
    this.#written.add(chunk.index)
    this.#consumed(this.#arriving.drop(chunk.index))
  }

  /** Without files that are left as they are. A void leaf marks a piece that the source could not give. */
  spansOf(chunk: Chunk, hashes: Uint8Array): TargetSpan[] {
    const left = this.#events.left()
    const offsets = blockOffsets(chunk)
    return chunk.pieces.flatMap(({ file, fileOffset, length }, index) => {
      if (left.has(file)) return []
      const { path, size, mtimeMs, mode } = this.#deps.manifest.entry(file)
      const leaf = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
      if (isVoid(leaf)) this.#events.sourceFailed(file)
      return [{ file, fileOffset, length, blockOffset: offsets[index] ?? 0, path, size, mtimeMs, mode, leaf }]
    })
  }

  /** Verify, write, confirm. */
  #write(arrived: ArrivingChunk, hashes: Uint8Array): void {
    const { chunk, block } = arrived
    this.#waitingBytes += chunk.length
    const spans = this.spansOf(chunk, hashes)
    this.#deps.target.write({ block, spans }).then(
      ({ mismatched, failed, uncommitted, busyMs }) => {
        this.#waitingBytes -= chunk.length
        this.#busyMs += busyMs
        const faults = mismatched.map((index) => ({ file: spans[index]?.file ?? 0, code: 'HASH_MISMATCH' as const }))
        this.#events.filesFailed([...faults, ...failed])
        this.#settle(arrived, uncommitted)
      },
      (error: unknown) => this.#events.failed(error),
    )
  }

  #settle(arrived: ArrivingChunk, uncommitted: number): void {
    const { chunk } = arrived
    this.#written.add(chunk.index)
    this.#arriving.release(arrived)
    this.#consumed(arrived.given)
    // A leaf of a large file is known to the target and counts; small files count once they are committed.
    if (this.#deps.manifest.isLeaf(chunk)) this.#count(chunk)
    else this.#commits.add(chunk)
    this.#commits.commitSoon(uncommitted)
    this.#events.settled()
  }

  #consumed(bytes: number): void {
    const credit = this.#window.consumed(bytes, this.#waitingBytes)
    if (credit > 0) this.#deps.channel.consumed(credit)
  }

  #count(chunk: Chunk): void {
    this.#deps.tally.written(chunk, this.#events.left())
    this.#confirmations.add(chunk.index)
  }

  /** @param uncommitted complete files at the target */
  commitSoon(uncommitted: number): void {
    this.#commits.commitSoon(uncommitted)
  }

  /** @returns true when nothing is left to commit; otherwise a commit is under way */
  commitAll(): boolean {
    if (this.#commits.isCommitting) return false
    if (this.#commits.isEmpty) return true
    this.#commits.commit()
    return false
  }

  confirmNow(): void {
    this.#confirmations.flush()
  }

  stop(): void {
    this.#confirmations.stop()
    this.#commits.stop()
  }
}
