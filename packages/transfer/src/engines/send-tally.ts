import { TransferError } from '../errors/transfer-error.ts'
import type { Chunk } from '../manifests/layout.ts'
import type { ExistingPolicy, NumberRange, Verdict } from '../messages/messages.ts'
import type { SourceItem } from '../sources/source.ts'
import type { EngineEvents } from './engine.types.ts'
import { isFailure, isLeft, noVerdicts } from './existing-files.policy.ts'
import { FileFailures } from './file-failures.ts'
import { NumberSet } from './number-set.ts'
import { wantedBytes, wantedPieces } from './wanted-pieces.ts'

/** The sender's account: what is in place at the receiver, what it leaves as it is, and what has failed. */
export class SendTally {
  readonly #items: readonly SourceItem[]
  readonly #policy: ExistingPolicy
  readonly #events: EngineEvents
  readonly #done = new NumberSet()
  /** Files that the receiver leaves as they are. */
  readonly left = new NumberSet()
  readonly verdicts = noVerdicts()
  readonly failures: FileFailures
  filesDone = 0
  bytesDone = 0
  keptBytes = 0

  /** @param items grows while the source is listed */
  constructor(items: readonly SourceItem[], policy: ExistingPolicy, events: EngineEvents) {
    this.#items = items
    this.#policy = policy
    this.#events = events
    this.failures = new FileFailures((failure) => events.fileFailed?.(failure))
  }

  get chunksDone(): number {
    return this.#done.size
  }

  hasChunk(index: number): boolean {
    return this.#done.has(index)
  }

  /** @throws TransferError MESSAGE_INVALID for a file that was not announced */
  judge(verdict: Verdict, files: readonly NumberRange[]): void {
    for (const [first, end] of files) {
      if (end > this.#items.length) throw new TransferError('MESSAGE_INVALID', { reason: 'file beyond the end' })
      for (let file = first; file < end; file++) this.#judgeOne(verdict, file)
    }
  }

  #judgeOne(verdict: Verdict, file: number): void {
    const { path, size } = this.#items[file]?.entry ?? { path: '', size: 0 }
    this.verdicts[verdict]++
    this.#events.verdict?.(path, verdict)
    if (isFailure(this.#policy, verdict)) this.failures.add(file, { path, code: 'TARGET_NEWER' })
    if (!isLeft(verdict) || !this.left.add(file)) return
    this.filesDone++
    this.bytesDone += size
    this.keptBytes += size
  }

  /** @returns false when it was confirmed before */
  confirm(chunk: Chunk, isKept: boolean): boolean {
    if (!this.#done.add(chunk.index)) return false
    const bytes = wantedBytes(chunk, this.left)
    this.bytesDone += bytes
    if (isKept) this.keptBytes += bytes
    this.filesDone += wantedPieces(chunk, this.left).filter(({ file, fileOffset, length }) => {
      return fileOffset + length === (this.#items[file]?.entry.size ?? 0)
    }).length
    return true
  }

  /** @returns false when the file had failed before */
  fail(file: number, code: string): boolean {
    return this.failures.add(file, { path: this.#items[file]?.entry.path ?? '', code })
  }
}
