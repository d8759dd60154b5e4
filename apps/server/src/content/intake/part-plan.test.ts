import { GiB, KiB, MiB } from '@godwit/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partSizeOf, partSpan } from './part-plan.ts'

describe('part size', () => {
  it('is whole leaves, and what was asked for where that is possible', () => {
    expect(partSizeOf(10 * GiB, 16 * MiB)).toBe(16 * MiB)
    expect(partSizeOf(10, 1)).toBe(MiB)
    expect(partSizeOf(10, MiB + 1)).toBe(2 * MiB)
    expect(partSizeOf(null, 100 * KiB)).toBe(MiB)
  })

  it('never makes more than 10,000 parts', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(), (size, wanted) => {
        const partSize = partSizeOf(size, wanted)
        expect(partSize % MiB).toBe(0)
        expect(Math.ceil(size / partSize)).toBeLessThanOrEqual(10_000)
      }),
    )
  })
})

describe('the bytes of a part', () => {
  const rule = { size: 2 * MiB + 5, partSize: MiB, freeParts: true, isDurableEnd: (offset: number) => offset === 77 }

  it('reach from an aligned offset to the end of the part or of the file', () => {
    expect(partSpan(rule, 0, MiB)).toEqual({ index: 0, start: 0, end: MiB })
    expect(partSpan(rule, 2 * MiB, 5)).toEqual({ index: 2, start: 2 * MiB, end: 2 * MiB + 5 })
    expect(partSpan(rule, MiB, undefined)).toEqual({ index: 1, start: MiB, end: 2 * MiB })
  })

  it('go on where durable bytes end, if the storage can', () => {
    expect(partSpan(rule, 77, MiB - 77)).toEqual({ index: 0, start: 77, end: MiB })
    expect(() => partSpan({ ...rule, freeParts: false }, 77, MiB - 77)).toThrow('UPLOAD_PART_INVALID')
    expect(() => partSpan(rule, 78, MiB - 78)).toThrow('UPLOAD_PART_INVALID')
  })

  it('are refused beyond the end, with another length, and at offsets that are none', () => {
    for (const [offset, length] of [
      [3 * MiB, 1],
      [0, MiB - 1],
      [0, MiB + 1],
      [2 * MiB, 6],
      [-MiB, MiB],
      [0.5, MiB],
      [2 ** 53, 1],
    ] as const) {
      expect(() => partSpan(rule, offset, length)).toThrow('UPLOAD_PART_INVALID')
    }
  })

  it('are none for an empty file', () => {
    expect(partSpan({ ...rule, size: 0 }, 0, 0)).toEqual({ index: 0, start: 0, end: 0 })
  })

  it('cover every file without gap or overlap', () => {
    fc.assert(
      fc.property(fc.nat({ max: 50 * MiB }), (size) => {
        let at = 0
        while (at < size) at = partSpan({ ...rule, size }, at, undefined).end
        expect(at).toBe(size)
      }),
    )
  })
})
