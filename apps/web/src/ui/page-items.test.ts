import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cappedPage, lastPage, pageItems } from './page-items.ts'

const place = fc
  .integer({ min: 1, max: 500 })
  .chain((last) => fc.record({ last: fc.constant(last), current: fc.integer({ min: 1, max: last }) }))

describe('the pages of a list', () => {
  it('show one boundary page and two siblings, with gaps between', () => {
    expect(pageItems(10, 20)).toEqual([1, 'gap-before', 8, 9, 10, 11, 12, 'gap-after', 20])
  })

  it('show a page rather than a gap of one', () => {
    expect(pageItems(5, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(pageItems(1, 1)).toEqual([1])
    expect(pageItems(1, 5)).toEqual([1, 2, 3, 4, 5])
    expect(pageItems(1, 6)).toEqual([1, 2, 3, 'gap-after', 6])
    expect(pageItems(6, 6)).toEqual([1, 'gap-before', 4, 5, 6])
  })

  it('always name the first, the last and the current page and its two neighbours, in order and once', () => {
    fc.assert(
      fc.property(place, ({ current, last }) => {
        const numbers = pageItems(current, last).filter((item) => typeof item === 'number')
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
        for (const page of [1, last, current, current - 2, current - 1, current + 1, current + 2]) {
          if (page >= 1 && page <= last) expect(numbers).toContain(page)
        }
      }),
    )
  })

  it('leave out at least two pages where they show a gap, and none elsewhere', () => {
    fc.assert(
      fc.property(place, ({ current, last }) => {
        const items = pageItems(current, last)
        for (const [at, item] of items.entries()) {
          const next = items[at + 1]
          if (typeof item === 'number' && typeof next === 'number') expect(next - item).toBe(1)
          const [left, right] = [items[at - 1], next]
          if (typeof item === 'string') expect(Number(right) - Number(left)).toBeGreaterThan(2)
        }
      }),
    )
  })
})

describe('another page size', () => {
  it('keeps the page, capped at the new last one', () => {
    expect(cappedPage(3, 45, 20)).toBe(3)
    expect(cappedPage(5, 45, 20)).toBe(3)
    expect(cappedPage(5, 45, 50)).toBe(1)
  })

  it('always lands on a page there is', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(10_000), fc.constantFrom(10, 20, 30, 40, 50), (page, total, size) => {
        const shown = cappedPage(page, total, size)
        expect(shown).toBeGreaterThanOrEqual(1)
        expect(shown).toBeLessThanOrEqual(lastPage(total, size))
      }),
    )
  })

  it('leaves one page for an empty list', () => expect(lastPage(0, 10)).toBe(1))
})
