import type { AccountSpeed } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { NEW_PERIOD, periodFault, speedOf, speedValuesOf } from './speed-values.ts'

const SPEED: AccountSpeed = {
  uploadMbps: 12.5,
  downloadMbps: 0,
  periods: [
    { days: [1, 2, 3, 4, 5], start: '08:00', end: '18:00', uploadMbps: 1, downloadMbps: 2.5 },
    { days: [7], start: '00:00', end: '24:00', uploadMbps: 0, downloadMbps: 4 },
  ],
}

describe('the speeds in the form of an account', () => {
  it('come back as they were', () => {
    const values = speedValuesOf(SPEED)
    expect(values).toMatchObject({ uploadMbps: '12.5', downloadMbps: '' })
    expect(speedOf(values)).toEqual(SPEED)
    expect(speedOf(speedValuesOf({ uploadMbps: 0, downloadMbps: 0, periods: [] })).periods).toEqual([])
  })

  it('name what is wrong with a period', () => {
    expect(periodFault(NEW_PERIOD)).toBeUndefined()
    expect(periodFault({ ...NEW_PERIOD, days: '' })).toBe('days')
    expect(periodFault({ ...NEW_PERIOD, start: '18:00' })).toBe('times')
    expect(periodFault({ ...NEW_PERIOD, start: '18:00', end: '00:00' })).toBeUndefined()
    expect(periodFault({ ...NEW_PERIOD, upload: 'fast' })).toBe('limits')
  })
})
