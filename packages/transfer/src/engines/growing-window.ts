import type { MonotonicMs } from './engine.types.ts'

/** Bytes that may wait for the disk before the sender is slowed down: what a fast disk writes in a twentieth of a second. */
const MAX_WAITING_BYTES = 12 * 1024 * 1024
/** The window may be this much wider than at the beginning at any rate, */
const FREE_GROWTH = 8 * 1024 * 1024
/** and by what arrives in this time, or in three round trips if they are longer. */
const MIN_SPAN_SECONDS = 0.6
/** Between two measurements of the rate: a sender that starts up has nearly three times as much in flight after a round trip. */
const LOOK_MS = 100
/** What a measurement leaves of a limit that was set at a better moment. */
const FADING = 0.9

export interface WindowFacts {
  /** Bytes by which it may grow as things stand. */
  readonly most: () => number
  readonly nowMs: MonotonicMs
  /** Smoothed round trip, microseconds; 0 while unknown. */
  srttUs(): number
}

/**
 * How far a channel's window is wider than at its beginning. It begins small and doubles with each round trip, as far as the
 * line needs it. Behind a slow disk a wide one would only stand in memory: while too much waits, it becomes narrower instead.
 */
export class GrowingWindow {
  readonly #facts: WindowFacts
  /** Negative: narrower. */
  #growth = 0
  #limit = FREE_GROWTH
  #look: { at: number; bytes: number }

  constructor(facts: WindowFacts) {
    this.#facts = facts
    this.#look = { at: facts.nowMs(), bytes: 0 }
  }

  /**
   * Bytes were disposed of, while others wait for the disk.
   * @returns what to report to the channel as consumed
   */
  consumed(bytes: number, waitingBytes: number): number {
    this.#watch(bytes)
    const limit = Math.min(this.#facts.most(), this.#limit)
    const wanted = waitingBytes > MAX_WAITING_BYTES ? -bytes : limit - this.#growth
    const growth = Math.max(-bytes, Math.min(bytes, wanted))
    this.#growth += growth
    return bytes + growth
  }

  /** What the line carries in the time of a few round trips; each look allows more than was used, so it finds the rate. */
  #watch(bytes: number): void {
    this.#look.bytes += bytes
    const now = this.#facts.nowMs()
    const spanMs = now - this.#look.at
    if (spanMs < LOOK_MS) return
    const bytesPerSecond = (this.#look.bytes * 1000) / spanMs
    const carried = bytesPerSecond * Math.max(MIN_SPAN_SECONDS, (this.#facts.srttUs() / 1e6) * 3)
    this.#limit = Math.round(Math.max(FREE_GROWTH, carried, this.#limit * FADING))
    this.#look = { at: now, bytes: 0 }
  }
}
