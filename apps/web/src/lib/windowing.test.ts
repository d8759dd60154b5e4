import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isScaled,
  MAX_SCROLL_HEIGHT,
  scrollHeight,
  scrollTopOf,
  topOf,
  topToShow,
  visibleRows,
  type WindowShape,
} from './windowing.ts'

const shapeOf = (count: number): WindowShape => ({ count, rowHeight: 49, viewport: 700 })

describe('a list of 100,000 rows', () => {
  const shape = shapeOf(100_000)
  it('scrolls unscaled', () => {
    expect(isScaled(shape)).toBe(false)
    expect(topOf(shape, 1234)).toBe(1234)
  })
  it('renders what is visible and two rows around', () => {
    expect(visibleRows(shape, 49 * 500, 2)).toEqual([498, 517])
  })
})

describe('a list of 1,000,000 rows', () => {
  const shape = shapeOf(1_000_000)
  it('stays below the height that browsers cut off', () => {
    expect(scrollHeight(shape)).toBe(MAX_SCROLL_HEIGHT)
  })
  it('reaches the last row at the end of the scroll bar', () => {
    const top = topOf(shape, MAX_SCROLL_HEIGHT - shape.viewport)
    expect(visibleRows(shape, top, 0)[1]).toBe(1_000_000)
  })
  it('shows the first row at its beginning', () => expect(visibleRows(shape, topOf(shape, 0), 0)[0]).toBe(0))
})

describe('a list whose end is covered by something floating', () => {
  const shape: WindowShape = { ...shapeOf(100), covered: 111 }
  it('scrolls its last row free', () => {
    expect(topOf(shape, 1_000_000)).toBe(100 * 49 - (700 - 111))
    expect(topToShow(shape, 0, 99)).toBe(100 * 49 - (700 - 111))
  })
  it('still renders the rows that lie beside it', () => expect(visibleRows(shape, 0, 0)).toEqual([0, 15]))
})

describe('scrolling, whatever the length', () => {
  const count = fc.integer({ min: 0, max: 5_000_000 })
  it('comes back to the same place', () => {
    fc.assert(
      fc.property(count, fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
        const shape = shapeOf(rows)
        const top = share * Math.max(0, rows * 49 - shape.viewport)
        expect(topOf(shape, scrollTopOf(shape, top))).toBeCloseTo(top, 3)
      }),
    )
  })
  it('shows a row wholly after it was asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.nat(), fc.nat(), (rows, from, wanted) => {
        const shape = shapeOf(rows)
        const row = wanted % rows
        const top = topToShow(shape, (from % rows) * 49, row)
        expect(row * 49).toBeGreaterThanOrEqual(top)
        expect((row + 1) * 49).toBeLessThanOrEqual(top + shape.viewport)
      }),
    )
  })
})
