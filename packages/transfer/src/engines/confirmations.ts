import type { ChunkRange } from '../messages/messages.ts'
import { toRanges } from './chunk-set.ts'

/** Confirmations gather for this long. */
const GATHER_MS = 50

/** Tells the sender of chunks that are safe, many with one message. */
export class Confirmations {
  readonly #say: (ranges: readonly ChunkRange[]) => void
  #chunks: number[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(say: (ranges: readonly ChunkRange[]) => void) {
    this.#say = say
  }

  add(chunk: number): void {
    this.#chunks.push(chunk)
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  flush(): void {
    this.stop()
    if (this.#chunks.length === 0) return
    const sorted = this.#chunks.toSorted((a, b) => a - b)
    this.#chunks = []
    this.#say(toRanges(sorted))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
