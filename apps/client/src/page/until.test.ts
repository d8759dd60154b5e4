import { describe, expect, it } from 'vitest'
import { FOR_GOOD, pauseEnd } from './until.ts'

describe('a pause of everything', () => {
  const now = new Date(2026, 2, 28, 22, 15).getTime()

  it('ends after its time, at midnight of this computer, or never', () => {
    expect(pauseEnd('half-hour', now) - now).toBe(1_800_000)
    expect(pauseEnd('hour', now) - now).toBe(3_600_000)
    expect(pauseEnd('tomorrow', now)).toBe(new Date(2026, 2, 29).getTime())
    expect(pauseEnd('always', now)).toBe(FOR_GOOD)
  })

  it('ends on the first of the next month after the last day', () => {
    expect(pauseEnd('tomorrow', new Date(2026, 11, 31, 23, 59).getTime())).toBe(new Date(2027, 0, 1).getTime())
  })
})
