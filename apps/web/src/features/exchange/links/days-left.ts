const DAY_S = 86_400
/** From then on a list says how many days are left. */
const BADGE_DAYS = 7

/** @param now Unix milliseconds @returns days begun until the end, 1 to 7; undefined when it is over or further away */
export function daysLeft(expires: number, now: number): number | undefined {
  const days = Math.ceil((expires - now / 1000) / DAY_S)
  return expires !== 0 && days >= 1 && days <= BADGE_DAYS ? days : undefined
}
