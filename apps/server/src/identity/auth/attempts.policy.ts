import { isIPv6 } from 'node:net'

export interface AttemptRule {
  /** Wrong passwords that lock. */
  readonly attempts: number
  /** The window in which they count, and how long the lock lasts. */
  readonly windowMs: number
}

export interface Attempts {
  readonly failures: number
  /** Start of the window, Unix ms. */
  readonly since: number
  readonly lockedUntil: number
}

export const NO_ATTEMPTS: Attempts = { failures: 0, since: 0, lockedUntil: 0 }

/** How far the clocks of two servers may be apart. What was written later than now by more is of a clock that went back. */
export const CLOCK_SKEW_MS = 60_000

/** Milliseconds until an attempt counts again; 0: now. */
export function lockLeft({ lockedUntil }: Attempts, { windowMs }: AttemptRule, now: number): number {
  const left = lockedUntil - now
  return left > windowMs + CLOCK_SKEW_MS ? 0 : Math.min(windowMs, Math.max(0, left))
}

/** State after one more wrong password. The window begins with its first failure; the failure that reaches the limit locks. */
export function afterFailure(state: Attempts, rule: AttemptRule, now: number): Attempts {
  const age = now - state.since
  const isFresh = age >= -CLOCK_SKEW_MS && age < rule.windowMs && state.failures < rule.attempts
  const failures = isFresh ? state.failures + 1 : 1
  const since = isFresh ? state.since : now
  return { failures, since, lockedUntil: failures >= rule.attempts ? now + rule.windowMs : 0 }
}

/**
 * What counts as one source: an IPv4 address, or the /64 of an IPv6 address, since one household can use any of its 2^64.
 * IPv4 mapped into IPv6 counts as the IPv4 address.
 */
export function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const front = head === '' ? [] : head.split(':')
  const back = tail === '' ? [] : tail.split(':')
  const groups = [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
