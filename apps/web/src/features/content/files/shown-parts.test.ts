import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownParts } from './shown-parts.ts'

const deep = ['My files', ...Array.from({ length: 12 }, (_, at) => `level ${at + 1}`)]

describe('the parts of a path', () => {
  it('are all shown while there is room, however many they are', () => {
    expect(shownParts(deep, 1_400)).toBe(12)
  })
  it('keep the last two on a phone', () => expect(shownParts(deep, 374)).toBe(2))
  it('take more room in Chinese', () => {
    const chinese = deep.map((label) => label.replace('level', '部门项目资料'))
    expect(shownParts(chinese, 1_000)).toBeLessThan(shownParts(deep, 1_000))
  })
  it('never vanish and never grow with less room', () => {
    const labels = fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 30 })
    const width = fc.integer({ min: 0, max: 3_000 })
    fc.assert(
      fc.property(labels, width, width, (all, one, other) => {
        const [narrow, wide] = one < other ? [one, other] : [other, one]
        const least = Math.min(2, all.length - 1)
        expect(shownParts(all, narrow)).toBeGreaterThanOrEqual(least)
        expect(shownParts(all, wide)).toBeGreaterThanOrEqual(shownParts(all, narrow))
      }),
    )
  })
})
