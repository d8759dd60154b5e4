import { TransferError } from '../errors/transfer-error.ts'

const MINUTES_PER_DAY = 24 * 60

/** A speed period: on these days, from one minute to another, this rate holds. */
export interface SpeedPeriod {
  /** 0 Sunday to 6 Saturday; the day on which the period begins. */
  readonly days: readonly number[]
  /** Minutes after midnight, local time; `to` at or before `from` runs past midnight. */
  readonly from: number
  readonly to: number
  /** Infinity: no limit. 0: nothing is sent. */
  readonly bitsPerSecond: number
}

export interface LocalMinute {
  /** 0 Sunday to 6 Saturday. */
  readonly day: number
  /** Minutes after midnight. */
  readonly minute: number
}

/** The rate that holds at a minute: that of the last period that covers it, else `otherwise`. */
export function rateAt(periods: readonly SpeedPeriod[], at: LocalMinute, otherwise: number): number {
  return periods.findLast((period) => covers(period, at))?.bitsPerSecond ?? otherwise
}

function covers(period: SpeedPeriod, at: LocalMinute): boolean {
  const today = period.days.includes(at.day)
  if (period.from < period.to) return today && at.minute >= period.from && at.minute < period.to
  const yesterday = period.days.includes((at.day + 6) % 7)
  return (today && at.minute >= period.from) || (yesterday && at.minute < period.to)
}

/** The local weekday and minute of a wall-clock instant. */
export function localMinute(unixMs: number): LocalMinute {
  const date = new Date(unixMs)
  return { day: date.getDay(), minute: date.getHours() * 60 + date.getMinutes() }
}

const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/**
 * Reads `mon-fri 08:00-18:00 20M; sat,sun 00:00-24:00 0` : days, span, rate (see `parseRate`; `none` for no limit).
 * @throws TransferError SCHEDULE_INVALID naming the part
 */
export function parseSchedule(text: string): SpeedPeriod[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parsePeriod)
}

function parsePeriod(part: string): SpeedPeriod {
  const [days, span, rate, ...more] = part.split(/\s+/)
  const times = /^(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})$/.exec(span ?? '')
  if (days === undefined || times === null || rate === undefined || more.length > 0) throw invalid(part)
  const [from, to] = [minutesOf(times[1], times[2]), minutesOf(times[3], times[4])]
  if (from >= MINUTES_PER_DAY || to > MINUTES_PER_DAY) throw invalid(part)
  return { days: parseDays(days, part), from, to, bitsPerSecond: parseRate(rate) }
}

function minutesOf(hours: string | undefined, minutes: string | undefined): number {
  const value = Number(minutes)
  return value < 60 ? Number(hours) * 60 + value : Infinity
}

function parseDays(text: string, part: string): number[] {
  if (text === 'daily') return [0, 1, 2, 3, 4, 5, 6]
  return text.split(',').flatMap((item) => {
    const [first, last] = item.split('-').map((name) => DAY_NAMES.indexOf(name.toLowerCase()))
    if (first === undefined || first < 0 || (last !== undefined && last < 0)) throw invalid(part)
    const count = last === undefined ? 1 : ((last - first + 7) % 7) + 1
    return Array.from({ length: count }, (_value, index) => (first + index) % 7)
  })
}

/**
 * Reads a rate in bits per second: `800k`, `20M`, `1.5G`, plain digits, or `none`.
 * @throws TransferError SCHEDULE_INVALID
 */
export function parseRate(text: string): number {
  if (text === 'none') return Infinity
  const found = /^(\d+(?:\.\d+)?)([kKmMgG]?)$/.exec(text)
  if (found === null) throw invalid(text)
  const scale = { k: 1e3, m: 1e6, g: 1e9 }[(found[2] ?? '').toLowerCase()] ?? 1
  return Number(found[1]) * scale
}

function invalid(part: string): TransferError {
  return new TransferError('SCHEDULE_INVALID', { part: part.slice(0, 60) })
}
