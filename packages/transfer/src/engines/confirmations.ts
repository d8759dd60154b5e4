import type { NumberRange } from '../messages/messages.ts'
import { rangeGroups } from './number-set.ts'

/** Confirmations gather for this long. */
const GATHER_MS = 50

/** Reports chunks that are safe, many at once. */
export class Confirmations {
  readonly #report: (ranges: readonly NumberRange[]) => void
  #chunks: number[] = []
  #timer: NodeJS.Timeout | undefined

  /** @param report called with as many ranges as one message holds */
  constructor(report: (ranges: readonly NumberRange[]) => void) {
    this.#report = report
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
    for (const ranges of rangeGroups(sorted)) this.#report(ranges)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
