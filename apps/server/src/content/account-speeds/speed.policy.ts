import { periodAt, type SpeedPeriod, type Speeds } from '@godwit/contract'

/** What an administrator set for an account, a group, a space or the site. */
export interface SpeedRules extends Speeds {
  /** The first that fits counts; outside of all of them the limits above do. */
  readonly periods: readonly SpeedPeriod[]
}

export type Direction = 'upload' | 'download'

const BYTES_PER_MEGABIT = 125_000
const MINUTES_PER_HOUR = 60

/** Bytes per second that hold at a time; 0: no limit. */
export function bytesPerSecond(rules: SpeedRules | undefined, direction: Direction, at: Date): number {
  if (rules === undefined) return 0
  const day = at.getDay() === 0 ? 7 : at.getDay()
  const minute = at.getHours() * MINUTES_PER_HOUR + at.getMinutes()
  const { uploadMbps, downloadMbps } = rules.periods[periodAt(rules.periods, { day, minute })] ?? rules
  return (direction === 'upload' ? uploadMbps : downloadMbps) * BYTES_PER_MEGABIT
}
