import { describe, expect, it } from 'vitest'
import { deadlineIn, deadlineText } from './deadline.ts'

const NOON = new Date(2026, 10, 27, 12, 0).getTime()
const at = (day: number, hour: number, minute: number): number => new Date(2026, 10, day, hour, minute).getTime()

describe('a deadline in the command line', () => {
  it('is the next time of that clock, today or tomorrow', () => {
    expect(deadlineIn('18:00', NOON)).toBe(at(27, 18, 0))
    expect(deadlineIn('12:01', NOON)).toBe(at(27, 12, 1))
    expect(deadlineIn('12:00', NOON)).toBe(at(28, 12, 0))
    expect(deadlineIn('7:30', NOON)).toBe(at(28, 7, 30))
  })

  it('is a minute of a day, and reads like it', () => {
    expect(deadlineIn('2026-12-01T08:05', NOON)).toBe(new Date(2026, 11, 1, 8, 5).getTime())
    expect(deadlineIn('2026-11-30 23:59', NOON)).toBe(at(30, 23, 59))
    expect(deadlineText(at(30, 8, 5))).toBe('2026-11-30 08:05')
    expect(deadlineIn(deadlineText(at(30, 8, 5)), NOON)).toBe(at(30, 8, 5))
  })

  it.each(['', 'tonight', '24:00', '18:60', '18', '2026-13-01T10:00', '2026-02-30T10:00', '2026-11-27', '1:2:3'])(
    'is not %j',
    (text) => {
      expect(deadlineIn(text, NOON)).toBeUndefined()
    },
  )
})
