import { describe, expect, it } from 'vitest'
import { isDue } from './cleaning.policy.ts'

const DAY = 24 * 3_600_000
const NOW = 1000 * DAY

describe('a file on a storage that is cleaned', () => {
  const ago = (days: number) => NOW - days * DAY

  it('is due one millisecond after its age by change, whoever opened it', () => {
    const rule = { basis: 'modified', days: 30, since: ago(1) } as const
    expect(isDue(rule, { modifiedMs: ago(30), openedMs: 0 }, NOW)).toBe(false)
    expect(isDue(rule, { modifiedMs: ago(30) - 1, openedMs: ago(1) }, NOW)).toBe(true)
  })

  it('is due by access when nobody changed or opened it for so long', () => {
    const rule = { basis: 'access', days: 30, since: ago(400) } as const
    expect(isDue(rule, { modifiedMs: ago(200), openedMs: 0 }, NOW)).toBe(true)
    expect(isDue(rule, { modifiedMs: ago(200), openedMs: ago(29) }, NOW)).toBe(false)
    expect(isDue(rule, { modifiedMs: ago(3), openedMs: ago(100) }, NOW)).toBe(false)
  })

  it('has its whole age from the making of a rule by access on', () => {
    const rule = { basis: 'access', days: 30, since: ago(29) } as const
    expect(isDue(rule, { modifiedMs: ago(900), openedMs: 0 }, NOW)).toBe(false)
  })

  it('is never due when its clock is ahead', () => {
    expect(isDue({ basis: 'modified', days: 7, since: 0 }, { modifiedMs: NOW + DAY, openedMs: 0 }, NOW)).toBe(false)
  })
})
