import type { FilesPlaced } from '../files/disk.types.ts'
import type { Chunk } from '../manifests/layout.ts'

/** Complete files wait for each other to be flushed together: this long, */
const GATHER_MS = 250
/** and up to so many files, */
const MOST_FILES = 2048
/** and bytes. A side that is killed loses at most these. */
const MOST_BYTES = 8 * 1024 * 1024

export interface PlacingEvents {
  /** Lets the disk make complete files durable and give them their names. */
  place(): Promise<FilesPlaced>
  /** These chunks of small files are in their place. */
  placed(placed: FilesPlaced, chunks: readonly Chunk[]): void
  /** After `placed`, when the next flush is arranged. */
  settled(): void
  failed(error: unknown): void
}

/** Complete files at the disk that have no name yet, and the chunks that brought them. */
export class PlacingQueue {
  readonly #events: PlacingEvents
  #chunks: Chunk[] = []
  #bytes = 0
  #files = 0
  #timer: NodeJS.Timeout | undefined
  #isPlacing = false
  #isStopped = false

  constructor(events: PlacingEvents) {
    this.#events = events
  }

  get isPlacing(): boolean {
    return this.#isPlacing
  }

  get isEmpty(): boolean {
    return this.#files === 0 && this.#chunks.length === 0
  }

  /** A chunk of small files is written; it counts once they are in their place. */
  add(chunk: Chunk): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  /** The disk says how many files wait there. */
  placeSoon(files: number): void {
    this.#files = files
    if (this.isEmpty) return
    if (files >= MOST_FILES || this.#bytes >= MOST_BYTES) this.place()
    else this.#timer ??= setTimeout(() => this.place(), GATHER_MS)
  }

  place(): void {
    if (this.#isPlacing || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isPlacing = true
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    this.#files = 0
    this.#events.place().then(
      (placed) => {
        this.#isPlacing = false
        this.#events.placed(placed, chunks)
        this.placeSoon(this.#files)
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
