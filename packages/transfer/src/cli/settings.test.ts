import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseSend } from './arguments.ts'
import { linkSettings } from './settings.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a speed schedule of a running transfer', () => {
  it('changes the ceiling within a second of the minute it names, in and out', () => {
    // A Monday, in whatever time zone this runs.
    vi.setSystemTime(new Date(2026, 10, 23, 7, 59, 59, 500))
    const { values } = parseSend(['--rate', '80M', '--schedule', 'mon 08:00-09:00 20M'])
    const link = linkSettings(values)
    expect(link.limit.rate()).toBe(80e6)
    vi.advanceTimersByTime(1500)
    expect(link.limit.rate()).toBe(20e6)
    vi.setSystemTime(new Date(2026, 10, 23, 8, 59, 59, 999))
    vi.advanceTimersByTime(1000)
    expect(link.limit.rate()).toBe(80e6)
    link.stop()
  })
})
