import type { Micros } from './session.types.ts'

/** User space wakes late: this much unused time may be caught up in one go. */
const CATCH_UP_US = 5000
const MIN_CATCH_UP_US = 1250
const MIN_CATCH_UP_PACKETS = 32
/** On a slow line 32 packets would be a burst of its own: no more than this much time, but one small batch. */
const SLOW_LINE_US = 20_000
const SMALL_BATCH = 8
/** A late wake-up: all of the time since may be caught up, within half a bandwidth-delay product. */
const MAX_LATE_US = 100_000

/** Token bucket by elapsed time. Credit is bounded, so a late wake-up does not become a burst that fills a shallow queue. */
export class Pacer {
  #credit = 0
  #updatedAt: Micros = -1
  /** Bytes per microsecond. */
  #rate = 0
  #cap = 0
  /** Most that a late wake-up may catch up. */
  #lateCap = 0
  /** When a wake-up was requested; Infinity when something other than pacing delayed sending. */
  #dueAt: Micros = Infinity

  /** `bdpBytes` bounds the catch-up: a quarter of it beyond 32 packets or 1.25 ms, half of it after a late wake-up. */
  setRate(now: Micros, rate: number, limits: { bdpBytes: number; packetBytes: number }): void {
    this.#refill(now)
    this.#rate = rate
    const burst = Math.min(MIN_CATCH_UP_PACKETS * limits.packetBytes, rate * SLOW_LINE_US)
    const least = Math.max(burst, rate * MIN_CATCH_UP_US, SMALL_BATCH * limits.packetBytes)
    this.#cap = Math.max(least, Math.min(rate * CATCH_UP_US, limits.bdpBytes / 4))
    this.#lateCap = Math.min(rate * MAX_LATE_US, limits.bdpBytes / 2)
  }

  available(now: Micros): number {
    this.#refill(now)
    return this.#credit
  }

  take(bytes: number): void {
    this.#credit -= bytes
  }

  /** Something other than pacing delays sending: time from now on must not be caught up. */
  stopWaiting(): void {
    this.#dueAt = Infinity
    this.#credit = Math.min(this.#credit, this.#cap)
  }

  /** When `bytes` of credit will be there. */
  readyAt(now: Micros, bytes: number): Micros {
    if (this.#rate === 0) return Infinity
    const missing = Math.max(0, Math.min(bytes, this.#cap) - this.#credit)
    this.#dueAt = missing === 0 ? now : now + missing / this.#rate
    return this.#dueAt
  }

  #refill(now: Micros): void {
    if (this.#updatedAt < 0) this.#updatedAt = now
    // Acknowledgements carry the time of their arrival, which may lie before the last look.
    if (now <= this.#updatedAt) return
    const late = Math.max(0, now - this.#dueAt) * this.#rate
    const cap = Math.max(this.#cap, this.#credit, Math.min(this.#lateCap, this.#cap + late))
    this.#credit = Math.min(cap, this.#credit + (now - this.#updatedAt) * this.#rate)
    this.#updatedAt = now
  }
}
