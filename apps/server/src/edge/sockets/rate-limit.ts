const BURST = 500
const PER_SECOND = 200

/** A bucket of requests: a burst of 500, then 200 a second. */
export function createRateLimit(now: () => number): { admits(): boolean } {
  let left = BURST
  let filledAt = now()
  return {
    admits() {
      const at = now()
      left = Math.min(BURST, left + ((at - filledAt) / 1_000) * PER_SECOND)
      filledAt = at
      if (left < 1) return false
      left--
      return true
    },
  }
}
