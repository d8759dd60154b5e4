import { describe, expect, it } from 'vitest'
import { ago } from './ago.ts'

const NOW = new Date(2026, 10, 21, 12, 0, 0).getTime()
const MINUTE = 60_000

describe('the age of a notice', () => {
  it('is just now in its first minute, and when the clocks differ', () => {
    expect(ago(NOW - MINUTE + 1, NOW)).toEqual({ kind: 'now' })
    expect(ago(NOW + MINUTE, NOW)).toEqual({ kind: 'now' })
  })

  it('counts minutes up to an hour and hours up to a day', () => {
    expect(ago(NOW - MINUTE, NOW)).toEqual({ kind: 'minutes', count: 1 })
    expect(ago(NOW - 60 * MINUTE + 1, NOW)).toEqual({ kind: 'minutes', count: 59 })
    expect(ago(NOW - 60 * MINUTE, NOW)).toEqual({ kind: 'hours', count: 1 })
    expect(ago(NOW - 24 * 60 * MINUTE + 1, NOW)).toEqual({ kind: 'hours', count: 23 })
  })

  it('is a date afterwards, with the year only when it is another', () => {
    expect(ago(new Date(2026, 2, 8, 8, 5).getTime(), NOW)).toEqual({ kind: 'date', text: '03-08 08:05' })
    expect(ago(new Date(2025, 11, 8, 8, 0).getTime(), NOW)).toEqual({ kind: 'date', text: '2025-12-08 08:00' })
  })
})
