import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeqWindow } from './seq-window.ts'

describe('numbers that are committed out of order', () => {
  it('are each seen once, whatever the order, when all come within five seconds', () => {
    const arrivals = fc
      .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 })
      .chain((seqs) =>
        fc.tuple(
          fc.shuffledSubarray(seqs, { minLength: seqs.length }),
          fc.array(fc.nat(50), { minLength: seqs.length, maxLength: seqs.length }),
        ),
      )
    fc.assert(
      fc.property(arrivals, ([seqs, pauses]) => {
        const window = createSeqWindow(0)
        const committed: number[] = []
        const seen: number[] = []
        let now = 0
        for (const [at, seq] of seqs.entries()) {
          committed.push(seq)
          now += pauses[at] ?? 0
          const visible = committed.filter((one) => one > window.floor).toSorted((a, b) => a - b)
          for (const one of visible) if (window.add(one, now)) seen.push(one)
          window.advance(now)
        }
        expect(seen.toSorted((a, b) => a - b)).toEqual(seqs.toSorted((a, b) => a - b))
      }),
    )
  })
  it('leave a gap behind after five seconds: it was rolled back', () => {
    const window = createSeqWindow(7)
    window.add(9, 0)
    window.advance(4_999)
    expect(window.floor).toBe(7)
    window.advance(5_000)
    expect(window.floor).toBe(9)
    expect(window.add(9, 6_000)).toBe(false)
  })
})
