import type { SpeedPeriod } from './speed.policy.ts'

/** `1-5 08:00-18:00 50/100`: days from Monday (1) to Sunday (7), start and end of the day, Mbps up and down. */
const PERIOD =
  /^(?<days>[1-7](?:[-,][1-7])*) (?<start>(?:[01]\d|2[0-3]):[0-5]\d)-(?<end>(?:[01]\d|2[0-3]):[0-5]\d|24:00) (?<up>\d{1,6})\/(?<down>\d{1,6})$/

/** @returns undefined for a text that is no list of periods, separated by semicolons */
export function periodsIn(text: string): readonly SpeedPeriod[] | undefined {
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const periods = entries.map(periodOf)
  return periods.every((period) => period !== undefined) ? periods : undefined
}

function periodOf(entry: string): SpeedPeriod | undefined {
  const { days = '', start = '', end = '', up, down } = PERIOD.exec(entry)?.groups ?? {}
  const chosen = daysIn(days)
  // As `HH:MM` the later time is the greater text.
  if (chosen.length === 0 || end <= start) return undefined
  return { days: chosen, start, end, uploadMbps: Number(up), downloadMbps: Number(down) }
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
