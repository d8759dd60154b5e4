import { describe, expect, it } from 'vitest'
import { areaOf, indexAt, linesOf, roundTop } from './chart-shape.ts'

const FRAME = { from: 0, to: 100_000, top: 10, width: 100, height: 50 }

describe('the shape of a chart', () => {
  it('draws values from the base up, and nothing above the upper edge', () => {
    const points = [
      { at: 0, value: 0 },
      { at: 10_000, value: 5 },
      { at: 20_000, value: 99 },
    ]
    expect(linesOf(points, FRAME)).toBe('M0 50L10 25L20 0')
    expect(areaOf(points, FRAME)).toBe('M0 50L10 25L20 0L20 50L0 50Z')
  })

  it('leaves a gap where the server was away or nothing was measured', () => {
    const points = [
      { at: 0, value: 10 },
      { at: 5_000, value: 10 },
      { at: 60_000, value: 10 },
      { at: 65_000, value: null },
      { at: 70_000, value: 10 },
    ]
    expect(linesOf(points, FRAME)).toBe('M0 0L5 0M60 0L61 0M70 0L71 0')
  })

  it('leaves out what is older than the frame', () => {
    expect(linesOf([{ at: -5, value: 3 }], FRAME)).toBe('')
    expect(areaOf([], FRAME)).toBe('')
  })

  it('finds the sample nearest to the pointer', () => {
    expect(indexAt([0, 10, 20], 14)).toBe(1)
    expect(indexAt([0, 10, 20], 900)).toBe(2)
    expect(indexAt([], 5)).toBe(0)
  })

  it.each([
    [0, 1],
    [3, 5],
    [17, 20],
    [50, 50],
    [801, 1_000],
  ])('ends an axis for values up to %d at %d', (value, top) => expect(roundTop(value)).toBe(top))
})
