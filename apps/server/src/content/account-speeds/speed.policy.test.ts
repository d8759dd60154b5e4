import { describe, expect, it } from 'vitest'
import { bytesPerSecond, type SpeedRules } from './speed.policy.ts'

const RULES: SpeedRules = {
  uploadMbps: 8,
  downloadMbps: 0,
  periods: [
    { days: [1, 2, 3, 4, 5], start: '08:00', end: '18:00', uploadMbps: 1, downloadMbps: 2 },
    { days: [7], start: '00:00', end: '24:00', uploadMbps: 0, downloadMbps: 4 },
  ],
}
/** 2 March 2026 is a Monday. */
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 2, 1 + day, hours, minutes)

describe('the speed of an account', () => {
  it('is not limited without rules', () => expect(bytesPerSecond(undefined, 'upload', at(1, 9))).toBe(0))

  it('follows the period of the day, its end excluded, and is the general one outside of all', () => {
    expect(bytesPerSecond(RULES, 'upload', at(1, 7, 59))).toBe(1_000_000)
    expect(bytesPerSecond(RULES, 'upload', at(1, 8))).toBe(125_000)
    expect(bytesPerSecond(RULES, 'download', at(5, 17, 59))).toBe(250_000)
    expect(bytesPerSecond(RULES, 'download', at(5, 18))).toBe(0)
    expect(bytesPerSecond(RULES, 'download', at(6, 12))).toBe(0)
    expect(bytesPerSecond(RULES, 'upload', at(7, 23, 59))).toBe(0)
    expect(bytesPerSecond(RULES, 'download', at(7, 0))).toBe(500_000)
  })
})
