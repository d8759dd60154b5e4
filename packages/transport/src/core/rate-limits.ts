import type { Micros, RateCeiling, RateLimit } from './session.types.ts'

/** Unused allowance that may be caught up, in time; small, so that a lowered rate holds within a second. */
const DEPTH_US = 50_000
const MIN_DEPTH_BYTES = 64 * 1024

/** A token bucket of `bitsPerSecond` below `parent`. Shared by all sessions that it bounds. */
export function createRateLimit(now: Micros, bitsPerSecond: number, parent?: RateLimit): RateCeiling {
  let rate = bitsPerSecond / 8e6
  let credit = 0
  let updatedAt = now
  const depth = (): number => Math.max(MIN_DEPTH_BYTES, rate * DEPTH_US)
  const refill = (at: Micros): void => {
    if (rate !== Infinity) credit = Math.min(depth(), credit + Math.max(0, at - updatedAt) * rate)
    updatedAt = Math.max(updatedAt, at)
  }
  return {
    available(at) {
      refill(at)
      return Math.min(rate === Infinity ? Infinity : credit, parent?.available(at) ?? Infinity)
    },
    take(at, bytes) {
      refill(at)
      if (rate !== Infinity) credit -= bytes
      parent?.take(at, bytes)
    },
    readyAt(at, bytes) {
      refill(at)
      const missing = Math.min(bytes, depth()) - credit
      const own = rate === Infinity || missing <= 0 ? at : rate === 0 ? Infinity : at + missing / rate
      return Math.max(own, parent?.readyAt(at, bytes) ?? at)
    },
    rate: () => Math.min(rate * 8e6, parent?.rate() ?? Infinity),
    setRate(at, bits) {
      // Whoever sets it again and again takes no credit away by that.
      if (bits / 8e6 === rate) return
      refill(at)
      rate = bits / 8e6
      credit = Math.min(credit, 0)
    },
  }
}
