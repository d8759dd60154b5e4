/** The last moment at or before `now` when the server's clock stood at this full hour. */
export function lastDue(now: number, hour: number): number {
  const due = new Date(now)
  due.setHours(hour, 0, 0, 0)
  if (due.getTime() > now) due.setDate(due.getDate() - 1)
  return due.getTime()
}

/** Whether a scheduled backup is to begin. @param lastAt when the last scheduled one began; undefined: there was none */
export function isDue(now: number, hour: number, lastAt: number | undefined): boolean {
  return lastAt === undefined || lastAt < lastDue(now, hour)
}

/** Those beyond the newest `keep`. @param done newest first */
export function beyond<Row>(done: readonly Row[], keep: number): readonly Row[] {
  return done.slice(keep)
}
