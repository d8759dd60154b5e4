/** Smoothed speed and time left. Both are undefined until enough was seen to be worth showing. */
export interface RateMeter {
  /** @param bytes sent so far, never less than before @param nowMs monotonic milliseconds */
  sample(bytes: number, nowMs: number): void
  /** Bytes a second. */
  rate(): number | undefined
  /** Seconds. */
  left(remainingBytes: number): number | undefined
  /** After a pause the old speed says nothing about the new one. */
  reset(): void
}

const SETTLE_MS = 2_000
const SETTLE_SAMPLES = 4
/** Weight of the past halves about every 3 s, so a hiccup moves the figure little and a real change shows soon. */
const HALF_LIFE_MS = 3_000

export function createRateMeter(): RateMeter {
  let first: { readonly bytes: number; readonly at: number } | undefined
  let last: { readonly bytes: number; readonly at: number } | undefined
  let smooth = 0
  let weight = 0
  let samples = 0
  const rate = (): number | undefined => {
    const isSettled = first !== undefined && last !== undefined && last.at - first.at >= SETTLE_MS
    return isSettled && samples >= SETTLE_SAMPLES && weight > 0 ? smooth / weight : undefined
  }
  return {
    sample(bytes, nowMs) {
      if (last === undefined) {
        first = { bytes, at: nowMs }
        last = first
        return
      }
      const elapsed = nowMs - last.at
      if (elapsed <= 0) return
      const kept = 0.5 ** (elapsed / HALF_LIFE_MS)
      const share = 1 - kept
      smooth = smooth * kept + (((bytes - last.bytes) * 1000) / elapsed) * share
      // Corrects the start, when there is little past to weigh.
      weight = weight * kept + share
      samples += 1
      last = { bytes, at: nowMs }
    },
    rate,
    left(remainingBytes) {
      const now = rate()
      return now === undefined || now < 1 ? undefined : remainingBytes / now
    },
    reset() {
      first = undefined
      last = undefined
      smooth = 0
      weight = 0
      samples = 0
    },
  }
}
