const CLOCK = /^(\d{1,2}):(\d{2})$/
const DAY_AND_CLOCK = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{1,2}):(\d{2})$/

/**
 * A time as people write it at their computer, in its time zone: `18:00` is the next one, `2026-11-27T18:00` that very minute.
 * @returns Unix milliseconds; undefined for anything else, and for a time that there is not
 */
export function deadlineIn(text: string, now: number): number | undefined {
  const [, hour, minute] = CLOCK.exec(text) ?? []
  if (hour !== undefined && minute !== undefined) {
    const today = new Date(now)
    const date = [today.getFullYear(), today.getMonth(), today.getDate()] as const
    const at = momentOf(date, [Number(hour), Number(minute)])
    return at === undefined || at > now ? at : momentOf([date[0], date[1], date[2] + 1], [Number(hour), Number(minute)])
  }
  const found = DAY_AND_CLOCK.exec(text)?.slice(1).map(Number)
  if (found === undefined) return undefined
  const [year = 0, month = 0, day = 0, ofHour = 0, ofMinute = 0] = found
  if (month < 1 || month > 12 || day < 1 || day > new Date(year, month, 0).getDate()) return undefined
  return momentOf([year, month - 1, day], [ofHour, ofMinute])
}

type Day = readonly [year: number, month: number, day: number]

function momentOf([year, month, day]: Day, [hour, minute]: readonly [number, number]): number | undefined {
  return hour > 23 || minute > 59 ? undefined : new Date(year, month, day, hour, minute).getTime()
}

/** The same for the terminal, in local time. */
export function deadlineText(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
