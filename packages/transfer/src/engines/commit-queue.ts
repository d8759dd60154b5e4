import type { Chunk } from '../manifests/layout.ts'
import type { FilesCommitted } from '../targets/target.ts'

/** Complete files wait this long to be flushed together, or until one of the two limits below is reached. */
const GATHER_MS = 250
const MAX_FILES = 2048
/** Also the most that a killed receiver loses. */
const MAX_BYTES = 8 * 1024 * 1024

export interface CommitEvents {
  commit(): Promise<FilesCommitted>
  /** The files of these chunks are committed or have failed. */
  committed(outcome: FilesCommitted, chunks: readonly Chunk[]): void
  /** After `committed`, once the next commit is scheduled. */
  settled(): void
  failed(error: unknown): void
}

/** Complete files that wait for their commit, and the chunks that brought them. */
export class CommitQueue {
  readonly #events: CommitEvents
  #chunks: Chunk[] = []
  #bytes = 0
  #files = 0
  #timer: NodeJS.Timeout | undefined
  #isCommitting = false
  #isStopped = false

  constructor(events: CommitEvents) {
    this.#events = events
  }

  get isCommitting(): boolean {
    return this.#isCommitting
  }

  get isEmpty(): boolean {
    return this.#files === 0 && this.#chunks.length === 0
  }

  /** A chunk of small files is written; it counts once they are committed. */
  add(chunk: Chunk): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  /** @param files complete files at the target that are not committed */
  commitSoon(files: number): void {
    this.#files = files
    if (this.isEmpty) return
    if (files >= MAX_FILES || this.#bytes >= MAX_BYTES) this.commit()
    else this.#timer ??= setTimeout(() => this.commit(), GATHER_MS)
  }

  commit(): void {
    if (this.#isCommitting || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isCommitting = true
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    this.#files = 0
    this.#events.commit().then(
      (outcome) => {
        this.#isCommitting = false
        this.#events.committed(outcome, chunks)
        this.commitSoon(this.#files)
        this.#events.settled()
      },
      (error: unknown) => this.#events.failed(error),
    )
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
