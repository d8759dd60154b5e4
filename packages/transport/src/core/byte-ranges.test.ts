import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteRanges } from './byte-ranges.ts'

const SPACE = 64

const step = fc.record({
  isAdd: fc.boolean(),
  start: fc.integer({ min: 0, max: SPACE }),
  length: fc.integer({ min: 0, max: 20 }),
})

describe('byte ranges', () => {
  it('hold exactly the bytes that a bitmap holds, after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ranges = new ByteRanges()
        const bitmap = new Array<boolean>(SPACE + 20).fill(false)
        for (const { isAdd, start, length } of steps) {
          const before = bitmap.filter(Boolean).length
          bitmap.fill(isAdd, start, start + length)
          const changed = Math.abs(bitmap.filter(Boolean).length - before)
          expect(isAdd ? ranges.add(start, start + length) : ranges.remove(start, start + length)).toBe(changed)
          expect(ranges.size).toBe(bitmap.filter(Boolean).length)
          expect(asBitmap(ranges)).toEqual(bitmap)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('never keep two ranges that touch', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ranges = new ByteRanges()
        for (const { isAdd, start, length } of steps) {
          if (isAdd) ranges.add(start, start + length)
          else ranges.remove(start, start + length)
        }
        for (let index = 1; index < ranges.count; index++)
          expect(ranges.startAt(index)).toBeGreaterThan(ranges.endAt(index - 1))
      }),
      { numRuns: 200 },
    )
  })

  it('name what is missing, and what is missing plus what is there is the whole', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const ranges = new ByteRanges()
        for (const { start, length } of steps) ranges.add(start, start + length)
        const missing = new ByteRanges()
        ranges.forEachMissing(0, SPACE + 20, (start, end) => missing.add(start, end))
        expect(missing.size + ranges.size).toBe(SPACE + 20)
        for (let index = 0; index < missing.count; index++) {
          expect(ranges.has(missing.startAt(index), missing.startAt(index) + 1)).toBe(false)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('grow past their first capacity', () => {
    const ranges = new ByteRanges()
    for (let index = 0; index < 1000; index++) ranges.add(index * 2, index * 2 + 1)
    expect(ranges.count).toBe(1000)
    expect(ranges.size).toBe(1000)
  })
})

function asBitmap(ranges: ByteRanges): boolean[] {
  const bitmap = new Array<boolean>(SPACE + 20).fill(false)
  for (let index = 0; index < ranges.count; index++) bitmap.fill(true, ranges.startAt(index), ranges.endAt(index))
  return bitmap
}
