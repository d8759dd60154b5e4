import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingBuffer } from './growing-buffer.ts'

describe('a growing buffer', () => {
  it('holds what was added, in order, in at most twice its size, and reports all of its memory', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 })), fc.nat({ max: 20_000 }), (pieces, expected) => {
        let taken = 0
        const buffer = new GrowingBuffer(expected, (bytes) => (taken += bytes))
        for (const piece of pieces) buffer.add(piece)
        const whole = Buffer.concat(pieces)
        expect(buffer.bytes().equals(whole)).toBe(true)
        expect(taken).toBeGreaterThanOrEqual(whole.length)
        expect(taken).toBeLessThanOrEqual(Math.max(expected, 4_096, 2 * whole.length))
        buffer.free()
        expect(buffer.length).toBe(0)
      }),
    )
  })

  it('takes no memory that was refused', () => {
    const buffer = new GrowingBuffer(2, (bytes) => {
      if (bytes > 2) throw new Error('refused')
    })
    buffer.add(Uint8Array.of(1, 2))
    expect(() => buffer.add(Uint8Array.of(3))).toThrow('refused')
    expect([...buffer.bytes()]).toEqual([1, 2])
  })
})
