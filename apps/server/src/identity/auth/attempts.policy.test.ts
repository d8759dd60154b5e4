import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { afterFailure, lockLeft, NO_ATTEMPTS, sourceOf, type Attempts } from './attempts.policy.ts'

const RULE = { attempts: 5, windowMs: 600_000 }

const isLocked = (state: Attempts, now: number): boolean => lockLeft(state, RULE, now) > 0

function failTimes(count: number, at: number, state: Attempts = NO_ATTEMPTS): Attempts {
  return Array.from({ length: count }).reduce<Attempts>((current) => afterFailure(current, RULE, at), state)
}

describe('lock after N wrong passwords within M minutes', () => {
  it('stays open one failure before the limit', () => {
    expect(isLocked(failTimes(4, 1000), 1000)).toBe(false)
  })
  it('locks at the limit, for the length of the window', () => {
    const state = failTimes(5, 1000)
    expect(isLocked(state, 1000 + RULE.windowMs - 1)).toBe(true)
    expect(isLocked(state, 1000 + RULE.windowMs)).toBe(false)
  })
  it('forgets failures older than the window', () => {
    const later = afterFailure(failTimes(4, 1000), RULE, 1000 + RULE.windowMs)
    expect(later.failures).toBe(1)
  })
  it('does not outlive a clock that goes back by a day', () => {
    const DAY_MS = 24 * 3_600_000
    const locked = failTimes(5, 10 * DAY_MS)
    expect(isLocked(locked, 10 * DAY_MS)).toBe(true)
    expect(isLocked(locked, 9 * DAY_MS)).toBe(false)
    expect(afterFailure(failTimes(4, 10 * DAY_MS), RULE, 9 * DAY_MS).failures).toBe(1)
  })
  it('is not undone by a server whose clock is a little behind', () => {
    const locked = failTimes(5, 100_000)
    expect(lockLeft(locked, RULE, 99_000)).toBe(RULE.windowMs)
    expect(afterFailure(failTimes(4, 100_000), RULE, 99_000).failures).toBe(5)
  })
  it('never lasts longer than its window, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5_000_000 }), { minLength: 1 }), fc.nat({ max: 5_000_000 }), (times, now) => {
        const state = times.reduce((current, at) => afterFailure(current, RULE, at), NO_ATTEMPTS)
        expect(lockLeft(state, RULE, now)).toBeLessThanOrEqual(RULE.windowMs)
        expect(lockLeft(state, RULE, now + RULE.windowMs) === 0 || state.lockedUntil > now + RULE.windowMs).toBe(true)
      }),
    )
  })
  it('begins anew after a lock has passed', () => {
    expect(afterFailure(failTimes(5, 1000), RULE, 1000 + RULE.windowMs).failures).toBe(1)
  })
})

describe('what counts as one source', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is %s', (address, source) => {
    expect(sourceOf(address)).toBe(source)
  })
  it('takes 1,000 addresses of one /64 as one', () => {
    const sources = Array.from({ length: 1000 }, (_, index) => sourceOf(`2001:db8:7:7::${index.toString(16)}`))
    expect(new Set(sources).size).toBe(1)
  })
})
