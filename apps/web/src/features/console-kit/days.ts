/** First millisecond of a day of the reader's zone, given as `YYYY-MM-DD`; undefined for what is no day. */
export function startOfDay(day: string | undefined): number | undefined {
  return timeOf(dateOf(day))
}

/** Last millisecond of it: a day on which clocks change has 23 or 25 hours. */
export function endOfDay(day: string | undefined): number | undefined {
  const next = dateOf(day)
  next.setDate(next.getDate() + 1)
  const start = timeOf(next)
  return start === undefined ? undefined : start - 1
}

function dateOf(day: string | undefined): Date {
  return day === undefined ? new Date(Number.NaN) : new Date(`${day}T00:00:00`)
}

function timeOf(date: Date): number | undefined {
  const at = date.getTime()
  return Number.isNaN(at) ? undefined : at
}
