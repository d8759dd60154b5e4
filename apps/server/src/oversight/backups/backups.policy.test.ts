import { describe, expect, it } from 'vitest'
import { beyond, isDue, lastDue } from './backups.policy.ts'

const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

describe('the schedule of backups', () => {
  it('is due once a day from its hour on', () => {
    expect(lastDue(at(20, 2), 2)).toBe(at(20, 2))
    expect(lastDue(at(20, 1, 59), 2)).toBe(at(19, 2))
    expect(isDue(at(20, 2), 2, at(19, 2))).toBe(true)
    expect(isDue(at(20, 2, 1), 2, at(20, 2))).toBe(false)
    expect(isDue(at(20, 1, 59), 2, at(19, 2, 1))).toBe(false)
  })

  it('makes up for a day on which the server was off, once', () => {
    expect(isDue(at(23, 9), 2, at(20, 2))).toBe(true)
    expect(isDue(at(23, 9, 1), 2, at(23, 9))).toBe(false)
  })

  it('begins at once when there was none', () => expect(isDue(at(20, 1), 2, undefined)).toBe(true))

  it('keeps the newest', () => expect(beyond(['c', 'b', 'a'], 2)).toEqual(['a']))
})
