/** How long ago something was, in words that still help: minutes, then hours, then the date. */
export type Ago =
  | { readonly kind: 'now' }
  | { readonly kind: 'minutes' | 'hours'; readonly count: number }
  /** `12-08 08:00`, with the year in front when it is another one. */
  | { readonly kind: 'date'; readonly text: string }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * @param at Unix milliseconds; later than `now` counts as now, since clocks differ
 * Source: Ant Design's copywriting guide, relative time.
 */
export function ago(at: number, now: number): Ago {
  const past = Math.max(0, now - at)
  if (past < MINUTE_MS) return { kind: 'now' }
  if (past < HOUR_MS) return { kind: 'minutes', count: Math.floor(past / MINUTE_MS) }
  if (past < DAY_MS) return { kind: 'hours', count: Math.floor(past / HOUR_MS) }
  return { kind: 'date', text: dateText(new Date(at), new Date(now)) }
}

function dateText(at: Date, now: Date): string {
  const day = `${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
  return at.getFullYear() === now.getFullYear() ? day : `${at.getFullYear()}-${day}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
