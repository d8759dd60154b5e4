/**
 * What a caller may do after an error.
 * - never: the same call fails again
 * - change: correct the input, then call again
 * - later: the same call may succeed after a while (`data.retryAfterSeconds` when known)
 * - now: call again at once; nothing was changed
 * - sign-in: sign in, then call again
 */
type RetryAdvice = 'never' | 'change' | 'later' | 'now' | 'sign-in'

export interface ErrorSpec {
  /** The number on the wire. */
  readonly wire: number
  /** 400 is the business status; others mean infrastructure (413, 429, 5xx). */
  readonly status?: 401 | 404 | 408 | 409 | 412 | 413 | 415 | 416 | 429 | 431 | 500 | 503 | 507
  readonly retry: RetryAdvice
}
