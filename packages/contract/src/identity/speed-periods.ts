/** One direction each, in megabits per second; 0 is no limit. */
export interface Speeds {
  readonly uploadMbps: number
  readonly downloadMbps: number
}

/** Parts of days, with limits of their own. */
export interface PeriodTimes {
  /** 1 is Monday, 7 Sunday. */
  readonly days: readonly number[]
  /** `HH:MM`, by the clock of the server; the end is later than the start and may be `24:00`. */
  readonly start: string
  readonly end: string
}

export interface SpeedPeriod extends PeriodTimes, Speeds {}

/** A moment of the week. */
export interface WeekTime {
  /** 1 is Monday, 7 Sunday. */
  readonly day: number
  /** Since midnight. */
  readonly minute: number
}

/** Mbps of one limit at most. */
export const MBPS_MAX = 100_000
/** Of an account in a limit that several share, at most; the least is 1. */
export const WEIGHT_MAX = 100
/** Periods of one account, group, space or site at most. */
export const PERIODS_MAX = 20
const MINUTES_PER_HOUR = 60

/** Minutes since midnight of `HH:MM`. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * MINUTES_PER_HOUR + minutes
}

/** Which period holds at a time, the first where several do; -1: none. */
export function periodAt(periods: readonly PeriodTimes[], { day, minute }: WeekTime): number {
  return periods.findIndex(
    ({ days, start, end }) => days.includes(day) && minute >= minuteOf(start) && minute < minuteOf(end),
  )
}

/** The first two periods that share a minute of a day, by their place in the list. */
export function overlapIn(periods: readonly PeriodTimes[]): readonly [number, number] | undefined {
  for (const [at, period] of periods.entries()) {
    const other = periods.slice(0, at).findIndex((earlier) => doOverlap(earlier, period))
    if (other !== -1) return [other, at]
  }
  return undefined
}

/** Whether two periods share a minute of a day. */
export function doOverlap(one: PeriodTimes, other: PeriodTimes): boolean {
  const isSameTime = minuteOf(one.start) < minuteOf(other.end) && minuteOf(other.start) < minuteOf(one.end)
  return isSameTime && one.days.some((day) => other.days.includes(day))
}

/** `1-5 08:00-18:00 50/100`: days from Monday (1) to Sunday (7), start and end of the day, Mbps up and down. */
const PERIOD =
  /^(?<days>[1-7](?:[-,][1-7])*) (?<start>(?:[01]\d|2[0-3]):[0-5]\d)-(?<end>(?:[01]\d|2[0-3]):[0-5]\d|24:00) (?<up>\d{1,6}(?:\.\d{1,3})?)\/(?<down>\d{1,6}(?:\.\d{1,3})?)$/

/** @returns undefined for a text that is no list of periods, separated by semicolons */
export function periodsIn(text: string): readonly SpeedPeriod[] | undefined {
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const periods = entries.map(periodOf)
  return periods.every((period) => period !== undefined) ? periods : undefined
}

/** The text that {@link periodsIn} reads. */
export function periodsAsText(periods: readonly SpeedPeriod[]): string {
  return periods
    .map(({ days, start, end, uploadMbps, downloadMbps }) =>
      [daysText(days), `${start}-${end}`, `${uploadMbps}/${downloadMbps}`].join(' '),
    )
    .join('; ')
}

function periodOf(entry: string): SpeedPeriod | undefined {
  const { days = '', start = '', end = '', up, down } = PERIOD.exec(entry)?.groups ?? {}
  const [chosen, uploadMbps, downloadMbps] = [daysIn(days), Number(up), Number(down)]
  // As `HH:MM` the later time is the greater text.
  if (chosen.length === 0 || end <= start || Math.max(uploadMbps, downloadMbps) > MBPS_MAX) return undefined
  return { days: chosen, start, end, uploadMbps, downloadMbps }
}

function daysIn(text: string): number[] {
  const days = text
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
    })
  return [...new Set(days)]
}

/** Days in a row as `1-5`, others one by one. */
function daysText(days: readonly number[]): string {
  const sorted = days.toSorted((one, other) => one - other)
  const runs: Array<[number, number]> = []
  for (const day of sorted) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === day - 1) run[1] = day
    else runs.push([day, day])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
