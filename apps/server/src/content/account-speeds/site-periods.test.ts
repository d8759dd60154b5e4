import { describe, expect, it } from 'vitest'
import { periodsIn } from './site-periods.ts'

describe('periods of the site', () => {
  it('are days, times and speeds, in their order', () => {
    expect(periodsIn('1-5 08:00-18:00 50/100; 6,7 00:00-24:00 0/20;')).toEqual([
      { days: [1, 2, 3, 4, 5], start: '08:00', end: '18:00', uploadMbps: 50, downloadMbps: 100 },
      { days: [6, 7], start: '00:00', end: '24:00', uploadMbps: 0, downloadMbps: 20 },
    ])
    expect(periodsIn('')).toEqual([])
  })

  it.each([
    ...['1-5', '8 08:00-18:00 1/1', '1 18:00-08:00 1/1', '1 08:00-08:00 1/1', '5-1 08:00-18:00 1/1', 'x'],
    ...['1 8:00-18:00 1/1', '1 08:00-25:00 1/1', '1 08:00-18:00 1', '1 08:00-18:00 1/1, 2 08:00-18:00 1/1'],
  ])('are refused as %s', (text) => expect(periodsIn(text)).toBeUndefined())
})
