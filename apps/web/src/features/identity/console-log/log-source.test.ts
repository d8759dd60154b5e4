import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationFilter } from './log-source.ts'

const HOUR_MS = 3_600_000

/** Hours that a filter of this one day covers. */
function hoursOf(day: string): number {
  const { from = Number.NaN, to = Number.NaN } = operationFilter({ from: day, to: day })
  return (to + 1 - from) / HOUR_MS
}

describe('days of the operation log', () => {
  const zone = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = 'Europe/Berlin'
  })
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  it('has every hour of a day on which the clocks change', () => {
    expect(['2026-10-24', '2026-10-25', '2026-03-29', '2026-12-31'].map(hoursOf)).toEqual([24, 25, 23, 24])
  })

  it('has no limit for what is no day', () => {
    expect(operationFilter({ from: 'soon', to: '2026-13-01' })).toMatchObject({ from: undefined, to: undefined })
  })
})
