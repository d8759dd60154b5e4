import type { Clock } from '@godwit/base'
import { AppError } from './errors.ts'

/** Bounds how often one caller may do something, within this process. For what guards secrets, count in the database. */
export interface CallLimit {
  /** @throws AppError RATE_LIMITED with the seconds to wait */
  take(caller: string): void
}

export interface CallLimitRule {
  readonly calls: number
  readonly periodMs: number
}

/** Callers remembered at once; the oldest are forgotten first. */
const CALLERS_MAX = 20_000

export function createCallLimit(clock: Pick<Clock, 'monotonic'>, { calls, periodMs }: CallLimitRule): CallLimit {
  const windows = new Map<string, { readonly since: number; count: number }>()
  return {
    take(caller) {
      const now = clock.monotonic()
      const window = windows.get(caller)
      if (window === undefined || now - window.since >= periodMs) {
        windows.delete(caller)
        const [oldest] = windows.keys()
        if (windows.size >= CALLERS_MAX && oldest !== undefined) windows.delete(oldest)
        windows.set(caller, { since: now, count: 1 })
        return
      }
      if (window.count >= calls) {
        throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil((window.since + periodMs - now) / 1000) })
      }
      window.count++
    },
  }
}
