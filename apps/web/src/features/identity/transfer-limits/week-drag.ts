import { minuteOf, type PeriodTimes } from '@godwit/contract/identity/speed-periods'

export const MINUTES_PER_DAY = 1440
const DAYS = 7
const MINUTES_PER_HOUR = 60
/** A step is wide enough for a finger. */
const NARROW_PX = 480

/** A step of the grid: its day from 1, and the minutes it goes from and to. */
export interface Corner {
  readonly day: number
  readonly from: number
  readonly to: number
}

type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>

/** Where the pointer is, within the grid even when it has left it. */
export function cornerAt({ left, top, width, height }: Box, x: number, y: number): Corner {
  const step = width < NARROW_PX ? MINUTES_PER_HOUR : MINUTES_PER_HOUR / 2
  const steps = MINUTES_PER_DAY / step
  const at = within(Math.floor(((x - left) / width) * steps), steps)
  const day = within(Math.floor(((y - top) / height) * DAYS), DAYS) + 1
  return { day, from: at * step, to: (at + 1) * step }
}

function within(value: number, count: number): number {
  return Math.min(Math.max(value, 0), count - 1)
}

/** The times between two steps, both of them included. */
export function timesOf(one: Corner, other: Corner): PeriodTimes {
  const [first, last] = [Math.min(one.day, other.day), Math.max(one.day, other.day)]
  return {
    days: Array.from({ length: last - first + 1 }, (_, index) => first + index),
    start: clockText(Math.min(one.from, other.from)),
    end: clockText(Math.max(one.to, other.to)),
  }
}

/** Per cent of the grid that times in adjacent days take. */
export function boxOf({ days, start, end }: PeriodTimes) {
  const [from, to] = [minuteOf(start), minuteOf(end)]
  return {
    top: ((Math.min(...days) - 1) / DAYS) * 100,
    height: (days.length / DAYS) * 100,
    left: (from / MINUTES_PER_DAY) * 100,
    width: ((to - from) / MINUTES_PER_DAY) * 100,
  }
}

export function clockText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / MINUTES_PER_HOUR), minute % MINUTES_PER_HOUR]
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
