import { AppError } from '../errors.ts'

/** Bounds how often one caller may do something, all nodes together. */
export interface CallLimit {
  /** @throws AppError RATE_LIMITED with the seconds to wait */
  take(caller: string): Promise<void>
}

export interface CallLimitRule {
  /** Unique: callers are counted under it. */
  readonly name: string
  readonly calls: number
  /** A caller's period begins with the first call. */
  readonly periodMs: number
}

/** Where calls are counted. */
export interface CallCounts {
  /** Counts one call. @returns the calls of the caller's period with this one, and how long that still lasts */
  add(rule: CallLimitRule, caller: string): Promise<{ readonly calls: number; readonly restMs: number }>
  /** Forgets periods that are over. */
  sweep(): Promise<void>
}

export interface Limits {
  callLimit(rule: CallLimitRule): CallLimit
}

export function createLimits(counts: CallCounts): Limits {
  return {
    callLimit: (rule) => ({
      async take(caller) {
        const { calls, restMs } = await counts.add(rule, caller)
        if (calls > rule.calls)
          throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1000)) })
      },
    }),
  }
}
