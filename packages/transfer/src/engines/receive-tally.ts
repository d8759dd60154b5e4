import type { Chunk } from '../manifests/layout.ts'
import type { ExistingPolicy, Verdict } from '../messages/messages.ts'
import type { EngineEvents } from './engine.types.ts'
import { isFailure, noVerdicts } from './existing-files.policy.ts'
import { FileFailures } from './file-failures.ts'
import type { IncomingManifest } from './incoming-manifest.ts'
import type { NumberSet } from './number-set.ts'
import { wantedBytes } from './wanted-pieces.ts'

/** The receiver's account: what is in place, what was left as it is, and what has failed. */
export class ReceiveTally {
  readonly #manifest: IncomingManifest
  readonly #events: EngineEvents
  readonly verdicts = noVerdicts()
  readonly failures: FileFailures
  filesDone = 0
  bytesDone = 0
  keptBytes = 0
  /** Failures that a second run could fix. */
  #unfinished = 0

  constructor(manifest: IncomingManifest, events: EngineEvents) {
    this.#manifest = manifest
    this.#events = events
    this.failures = new FileFailures((failure) => events.fileFailed?.(failure))
  }

  /** Nothing is left that a second run of the task could resume. */
  get isComplete(): boolean {
    return this.#unfinished === 0
  }

  left(file: number, verdict: Verdict, policy: ExistingPolicy): void {
    const { path, size } = this.#manifest.entry(file)
    this.verdicts[verdict]++
    this.filesDone++
    this.bytesDone += size
    this.keptBytes += size
    this.#events.verdict?.(path, verdict)
    if (isFailure(policy, verdict)) this.failures.add(file, { path, code: 'TARGET_NEWER' })
  }

  /** An earlier run brought the chunk. */
  kept(chunk: Chunk, left: NumberSet): void {
    const bytes = wantedBytes(chunk, left)
    this.bytesDone += bytes
    this.keptBytes += bytes
  }

  written(chunk: Chunk, left: NumberSet): void {
    this.bytesDone += wantedBytes(chunk, left)
  }

  /** @returns false when the file had failed before */
  fail(file: number, code: string): boolean {
    const isFirst = this.failures.add(file, { path: this.#manifest.entry(file).path, code })
    if (isFirst) this.#unfinished++
    return isFirst
  }
}
