import { describe, expect, it } from 'vitest'
import type { Texts } from '../../../lib/texts.tsx'
import { deadlineChange, deadlineField, deadlineValue } from './deadline-field.ts'

const texts = ((key: string) => key) as unknown as Texts
const NOON = new Date(2026, 10, 27, 12, 0).getTime()

describe('the deadline of a transfer in its form', () => {
  const fault = (value: string, deadline: number | null) =>
    deadlineField(texts, { deadline, now: () => NOON }).rule?.(value, {})

  it('lies ahead, unless it stood there before', () => {
    expect(fault('2026-11-27T12:01', null)).toBeUndefined()
    expect(fault('2026-11-27T12:00', null)).toBe('transfers.deadline.past')
    expect(fault('2026-11-27T11:00', NOON - 3_600_000)).toBeUndefined()
    expect(fault('2026-11-27T10:00', NOON - 3_600_000)).toBe('transfers.deadline.past')
  })

  it('is sent when it changed, and taken back when it was emptied', () => {
    expect(deadlineValue(null)).toBe('')
    expect(deadlineValue(NOON)).toBe('2026-11-27T12:00')
    // The seconds that a field does not show are no change.
    expect(deadlineChange('2026-11-27T12:00', NOON + 30_000)).toEqual({})
    expect(deadlineChange('', null)).toEqual({})
    expect(deadlineChange('', NOON)).toEqual({ deadline: null })
    expect(deadlineChange('2026-11-27T12:00', null)).toEqual({ deadline: NOON })
  })
})
