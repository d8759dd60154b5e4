import type { LocalPause } from '@godwit/contract'

const MINUTE_MS = 60_000
/** Further away than anybody waits, and a number that every program can write. */
export const FOR_GOOD = 253_402_300_799_000

/** When a pause that begins now is over, in Unix milliseconds; tomorrow begins at midnight of this computer. */
export function pauseEnd(pause: LocalPause, now: number): number {
  switch (pause) {
    case 'half-hour':
      return now + 30 * MINUTE_MS
    case 'hour':
      return now + 60 * MINUTE_MS
    case 'tomorrow': {
      const day = new Date(now)
      return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime()
    }
    case 'always':
      return FOR_GOOD
  }
}
