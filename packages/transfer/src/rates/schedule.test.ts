import { describe, expect, it } from 'vitest'
import { parseRate, parseSchedule, rateAt } from './schedule.ts'

describe('a speed schedule', () => {
  const work = parseSchedule('mon-fri 08:00-18:00 20M; daily 22:00-06:00 none; sun 00:00-24:00 0')

  it('holds a rate from its first minute to the last before its end', () => {
    expect(rateAt(work, { day: 1, minute: 8 * 60 }, 100)).toBe(20e6)
    expect(rateAt(work, { day: 1, minute: 18 * 60 - 1 }, 100)).toBe(20e6)
    expect(rateAt(work, { day: 1, minute: 18 * 60 }, 100)).toBe(100)
    expect(rateAt(work, { day: 6, minute: 9 * 60 }, 100)).toBe(100)
  })

  it('runs past midnight, and the later line wins', () => {
    expect(rateAt(work, { day: 2, minute: 5 * 60 }, 100)).toBe(Infinity)
    expect(rateAt(work, { day: 0, minute: 23 * 60 }, 100)).toBe(0)
  })

  it('refuses what it cannot read', () => {
    for (const text of [
      'mon 8-9 1M',
      'xyz 08:00-09:00 1M',
      'mon 25:00-26:00 1M',
      'mon 08:60-09:00 1M',
      'mon 08:00-09:00 fast',
      'mon',
    ]) {
      expect(() => parseSchedule(text), text).toThrow('cannot be understood')
    }
  })

  it('reads rates in bits per second', () => {
    expect([parseRate('800k'), parseRate('1.5G'), parseRate('7'), parseRate('none')]).toEqual([8e5, 1.5e9, 7, Infinity])
  })
})
