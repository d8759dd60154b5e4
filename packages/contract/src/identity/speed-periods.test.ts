import { describe, expect, it } from 'vitest'
import { overlapIn, periodAt, periodsAsText, periodsIn } from './speed-periods.ts'

describe('periods as text', () => {
  it('are days, times and speeds, in their order', () => {
    const text = '1-5 08:00-18:00 50/100; 6,7 00:00-24:00 0/20;'
    expect(periodsIn(text)).toEqual([
      { days: [1, 2, 3, 4, 5], start: '08:00', end: '18:00', uploadMbps: 50, downloadMbps: 100 },
      { days: [6, 7], start: '00:00', end: '24:00', uploadMbps: 0, downloadMbps: 20 },
    ])
    expect(periodsIn('')).toEqual([])
  })

  it.each(['', '1-5 08:00-18:00 50/100', '1-3,5,7 08:00-18:00 2.5/0; 6 00:00-24:00 0/20'])(
    'come back from %s',
    (text) => expect(periodsAsText(periodsIn(text) ?? [])).toBe(text),
  )

  it.each([
    ...['1-5', '8 08:00-18:00 1/1', '1 18:00-08:00 1/1', '1 08:00-08:00 1/1', '5-1 08:00-18:00 1/1', 'x'],
    ...['1 8:00-18:00 1/1', '1 08:00-25:00 1/1', '1 08:00-18:00 1', '1 08:00-18:00 1/1, 2 08:00-18:00 1/1'],
    '1 08:00-18:00 100001/1',
  ])('are refused as %s', (text) => expect(periodsIn(text)).toBeUndefined())
})

describe('the period in force', () => {
  const periods = periodsIn('1-5 08:00-18:00 1/1; 7 00:00-24:00 1/1') ?? []

  it.each([
    ...[
      [1, 8, 0, 0],
      [5, 17, 59, 0],
      [5, 18, 0, -1],
      [6, 12, 0, -1],
    ],
    [7, 23, 59, 1],
  ])('on day %i at %i:%i is %i', (day = 0, hours = 0, minutes = 0, expected = 0) =>
    expect(periodAt(periods, { day, minute: hours * 60 + minutes })).toBe(expected),
  )
})

describe('periods that overlap', () => {
  it.each([
    ['1-5 08:00-18:00 1/1; 5 17:59-20:00 1/1', [0, 1]],
    ['6 00:00-24:00 1/1; 1 08:00-09:00 1/1; 1-7 08:30-08:40 1/1', [0, 2]],
    ['1-5 08:00-18:00 1/1; 1-5 18:00-20:00 1/1', undefined],
    ['1-5 08:00-18:00 1/1; 6,7 08:00-18:00 1/1', undefined],
  ])('are found in %s', (text, expected) => expect(overlapIn(periodsIn(text) ?? [])).toEqual(expected))
})
