import { loadPortalTexts, loadTextBundle } from '@godwit/i18n/portal'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTexts, type Texts } from '../../../lib/texts.tsx'
import { arrivalText } from './arrival-text.ts'

const HOUR_MS = 3_600_000

describe('when a transfer is to arrive', () => {
  let texts: Texts
  beforeAll(async () => {
    const bundles = await Promise.all([loadPortalTexts('en-US'), loadTextBundle('en-US', 'transfers')])
    texts = createTexts('en-US', { ...bundles[0], ...bundles[1] }, undefined, () => undefined)
  })
  const text = (lateMs: number, state: 'running' | 'completed' = 'running'): string =>
    arrivalText({ deadline: Date.UTC(2026, 10, 29), lateMs, state }, texts)

  it.each([
    [95_000, 'Will be late by 1 min, 35 sec'],
    [4 * 60_000 + 20_000, 'Will be late by 4 min'],
    [30 * HOUR_MS, 'Will be late by 30 hr'],
    // What does not move arrives in a year, or never.
    [365 * 24 * HOUR_MS, 'Will be late'],
  ])('says by how much it will be late, as far as that is known: %d ms', (lateMs, expected) => {
    expect(text(lateMs)).toBe(expected)
  })

  it('says how late it was in the end, and the time where it is not late', () => {
    expect(text(365 * 24 * HOUR_MS, 'completed')).toBe('Late by 8,760 hr')
    expect(text(0)).toMatch(/^Arrive by 2026-11-2/)
    expect(arrivalText({ deadline: null, lateMs: 0, state: 'running' }, texts)).toBe('')
  })
})
