import type { Clock } from '@godwit/base'
import type { CallCounts } from './limits.ts'

/** Callers remembered at once; the oldest are forgotten first. */
const CALLERS_MAX = 20_000

interface Period {
  readonly since: number
  calls: number
}

/** For one process. */
export function createMemoryCounts(clock: Pick<Clock, 'monotonic'>): CallCounts {
  const rules = new Map<string, Map<string, Period>>()
  return {
    add({ name, periodMs }, caller) {
      const now = clock.monotonic()
      const callers = rules.get(name) ?? new Map<string, Period>()
      rules.set(name, callers)
      let period = callers.get(caller)
      if (period === undefined || now - period.since >= periodMs) {
        callers.delete(caller)
        const [oldest] = callers.keys()
        if (callers.size >= CALLERS_MAX && oldest !== undefined) callers.delete(oldest)
        period = { since: now, calls: 0 }
        callers.set(caller, period)
      }
      period.calls++
      return Promise.resolve({ calls: period.calls, restMs: period.since + periodMs - now })
    },
    // Bounded anyway, and the period of a rule is only known when it is asked.
    sweep: () => Promise.resolve(),
  }
}
