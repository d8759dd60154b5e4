import type { Micros } from './session.types.ts'

/** User space wakes late: this much unused time may be caught up in one go. */
const CATCH_UP_US = 5000
const MIN_CATCH_UP_US = 2000
const MIN_CATCH_UP_PACKETS = 64
/** On a slow line 64 packets would be a burst of its own: no more than this much time, but one small batch. */
const SLOW_LINE_US = 20_000
const SMALL_BATCH = 8

/** Token bucket by elapsed time. Credit is bounded, so a late wake-up does not become a burst that fills a shallow queue. */
export class Pacer {
  #credit = 0
  #updatedAt: Micros = -1
  /** Bytes per microsecond. */
  #rate = 0
  #cap = 0

  /** `bdpBytes` bounds the catch-up: at most a quarter of it beyond 64 packets or 2 ms. */
  setRate(now: Micros, rate: number, limits: { bdpBytes: number; packetBytes: number }): void {
    this.#refill(now)
    this.#rate = rate
    const burst = Math.min(MIN_CATCH_UP_PACKETS * limits.packetBytes, rate * SLOW_LINE_US)
    const least = Math.max(burst, rate * MIN_CATCH_UP_US, SMALL_BATCH * limits.packetBytes)
    this.#cap = Math.max(least, Math.min(rate * CATCH_UP_US, limits.bdpBytes / 4))
  }

  available(now: Micros): number {
    this.#refill(now)
    return this.#credit
  }

  take(bytes: number): void {
    this.#credit -= bytes
  }

  /** When `bytes` of credit will be there. */
  readyAt(now: Micros, bytes: number): Micros {
    if (this.#credit >= bytes) return now
    return this.#rate === 0 ? Infinity : now + (Math.min(bytes, this.#cap) - this.#credit) / this.#rate
  }

  #refill(now: Micros): void {
    if (this.#updatedAt >= 0) this.#credit = Math.min(this.#cap, this.#credit + (now - this.#updatedAt) * this.#rate)
    this.#updatedAt = now
  }
}
