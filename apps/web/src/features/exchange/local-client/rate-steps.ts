/** Positions of the slider in Mbit/s: three to a decade, as fine as anybody chooses. Beyond the last one there is no limit. */
export const RATE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const

/** @returns Mbit/s; 0: no limit */
export function rateAt(step: number): number {
  return RATE_STEPS[step] ?? 0
}

/** The position that comes nearest to a rate from elsewhere. */
export function stepOf(rateMbps: number): number {
  if (rateMbps === 0) return RATE_STEPS.length
  const found = RATE_STEPS.findIndex((rate) => rate >= rateMbps)
  return found === -1 ? RATE_STEPS.length - 1 : found
}
