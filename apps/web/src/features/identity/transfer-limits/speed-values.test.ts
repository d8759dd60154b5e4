import type { AccountSpeed } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import {
  isWeight,
  NEW_PERIOD,
  nextPeriod,
  NO_SPEED,
  overlapOf,
  periodFault,
  type PeriodRow,
  periodsFault,
  speedOf,
  speedValuesOf,
  weightOf,
} from './speed-values.ts'

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
    const values = speedValuesOf({ speed: SPEED, weight: 30 })
    expect(values).toMatchObject({ uploadMbps: '12.5', downloadMbps: '', weight: '30' })
    expect(speedOf(values)).toEqual(SPEED)
    expect(weightOf(values)).toBe(30)
    const none = speedValuesOf({ speed: { uploadMbps: 0, downloadMbps: 0, periods: [] }, weight: null })
    expect(none).toEqual(NO_SPEED)
    expect([speedOf(none).periods, weightOf(none)]).toEqual([[], null])
  })

  it('take whole weights from 1 to 100', () => {
    expect(['1', '100'].every(isWeight)).toBe(true)
    expect(['0', '101', '1.5', '-1', '1e1', '0x10', 'ten'].filter(isWeight)).toEqual([])
  })

  it('name what is wrong with a period', () => {
    expect(periodFault(NEW_PERIOD)).toBeUndefined()
    expect(periodFault({ ...NEW_PERIOD, days: '' })).toBe('days')
    expect(periodFault({ ...NEW_PERIOD, start: '18:00' })).toBe('times')
    expect(periodFault({ ...NEW_PERIOD, start: '18:00', end: '00:00' })).toBeUndefined()
    expect(periodFault({ ...NEW_PERIOD, upload: 'fast' })).toBe('limits')
  })

  it('name the other period when two overlap', () => {
    const late = { ...NEW_PERIOD, days: '5', start: '17:00', end: '00:00' }
    const weekend = { ...late, days: '67' }
    expect([0, 1, 2].map((at) => overlapOf([NEW_PERIOD, weekend, late], at))).toEqual([2, undefined, 0])
    expect(periodsFault([NEW_PERIOD, weekend, late])).toBe('overlap')
    expect(periodsFault([NEW_PERIOD, weekend])).toBeUndefined()
    expect(periodsFault([{ ...NEW_PERIOD, end: '08:00' }, late])).toBe('rule')
  })

  it('begin with times that none has yet', () => {
    const rows: PeriodRow[] = []
    for (let each = 0; each < 4; each++) rows.push(nextPeriod(rows))
    expect(rows.map(({ days, start }) => `${days} ${start}`)).toEqual([
      ...['12345 08:00', '67 08:00', '1234567 18:00', '1234567 00:00'],
    ])
    expect(periodsFault(rows)).toBeUndefined()
    expect(nextPeriod(rows)).toEqual(NEW_PERIOD)
  })
})
