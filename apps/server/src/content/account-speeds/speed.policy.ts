/** One direction each, in megabits per second; 0 is no limit. */
export interface Speeds {
  readonly uploadMbps: number
  readonly downloadMbps: number
}

/** A part of the day with limits of its own, by the server's clock. */
export interface SpeedPeriod extends Speeds {
  /** 1 is Monday, 7 Sunday. */
  readonly days: readonly number[]
  /** `HH:MM`; the end may be `24:00`. */
  readonly start: string
  readonly end: string
}

/** What an administrator set for an account. */
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
  const period = rules.periods.find(
    ({ days, start, end }) => days.includes(day) && minute >= minuteOf(start) && minute < minuteOf(end),
  )
  const { uploadMbps, downloadMbps } = period ?? rules
  return (direction === 'upload' ? uploadMbps : downloadMbps) * BYTES_PER_MEGABIT
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * MINUTES_PER_HOUR + minutes
}
