/** What the days of a period are chosen from; others are chosen one by one. */
export const DAY_SETS = { daily: '1234567', weekdays: '12345', weekend: '67' } as const
export const ALL_DAYS = [...DAY_SETS.daily]

/** 1 January 2024 was a Monday. */
export function nameOfDay(day: string, locale: string, weekday: 'short' | 'long' = 'short'): string {
  return new Intl.DateTimeFormat(locale, { weekday }).format(new Date(2024, 0, Number(day)))
}
