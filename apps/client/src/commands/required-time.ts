import { systemClock } from '@godwit/base'
import { deadlineIn } from '../transfers/deadline.ts'
import { UsageError } from './context.ts'

export const TIME_WORDS = 'a time such as 18:00 or 2026-11-30T18:00'

/**
 * @returns Unix milliseconds
 * @throws UsageError for what is no time, or one that has passed
 */
export function requireTime(text: string): number {
  const now = systemClock.now()
  const at = deadlineIn(text, now)
  if (at === undefined) throw new UsageError(`not a time: ${text}; write ${TIME_WORDS}`)
  if (at <= now) throw new UsageError(`${text} has passed`)
  return at
}
