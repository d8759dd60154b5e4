import { describe, expect, it } from 'vitest'
import { weekTimeAt } from './server-time.ts'
import { boxOf, cornerAt, timesOf } from './week-drag.ts'

const WIDE = { left: 100, top: 50, width: 960, height: 140 }
const NARROW = { ...WIDE, width: 240 }

describe('dragging over the week', () => {
  it('takes whole half hours of the days it crosses, whichever way it goes', () => {
    // 20 px are a half hour, and 20 px are a day.
    const [begin, end] = [cornerAt(WIDE, 100 + 16 * 20 + 5, 50 + 5), cornerAt(WIDE, 100 + 35 * 20 + 5, 50 + 95)]
    const times = { days: [1, 2, 3, 4, 5], start: '08:00', end: '18:00' }
    expect(timesOf(begin, end)).toEqual(times)
    expect(timesOf(end, begin)).toEqual(times)
    expect(timesOf(begin, begin)).toEqual({ days: [1], start: '08:00', end: '08:30' })
  })

  it('takes whole hours where a half one is too narrow for a finger', () =>
    expect(timesOf(cornerAt(NARROW, 105, 55), cornerAt(NARROW, 105, 55))).toMatchObject({
      start: '00:00',
      end: '01:00',
    }))

  it('ends at the edge of the week', () =>
    expect(timesOf(cornerAt(WIDE, 0, 0), cornerAt(WIDE, 5_000, 5_000))).toEqual({
      ...{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' },
    }))

  it('is drawn where it was dragged', () =>
    expect(boxOf({ days: [6, 7], start: '06:00', end: '12:00' })).toEqual({
      ...{ top: (5 / 7) * 100, height: (2 / 7) * 100, left: 25, width: 25 },
    }))
})

describe('the time at the server', () => {
  it.each([
    ...[
      ['2026-11-26T09:05:00Z', 0, { day: 4, minute: 545 }],
      ['2026-11-26T23:30:00Z', 60, { day: 5, minute: 30 }],
    ],
    ['2026-11-30T02:00:00Z', -180, { day: 7, minute: 1380 }],
  ] as const)('at %s, %i minutes ahead, is %o', (utc, offsetMinutes, expected) =>
    expect(weekTimeAt({ now: Date.parse(utc), offsetMinutes }, 0)).toEqual(expected),
  )

  it('goes on', () => {
    const clock = { now: Date.parse('2026-11-29T23:59:00Z'), offsetMinutes: 0 }
    expect(weekTimeAt(clock, 61_000)).toEqual({ day: 1, minute: 0 })
  })
})
