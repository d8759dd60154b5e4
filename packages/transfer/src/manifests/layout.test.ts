import { LEAF_BYTES } from '@godwit/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Layout, MAX_PACKED_FILES } from './layout.ts'

const size = fc.oneof(
  fc.nat(5000),
  fc.nat(3 * LEAF_BYTES),
  fc.constantFrom(0, LEAF_BYTES - 1, LEAF_BYTES, LEAF_BYTES + 1),
)

describe('the layout of files in one byte space', () => {
  it('covers every byte of every file exactly once, in chunks of at most one leaf', () => {
    fc.assert(
      fc.property(fc.array(fc.array(size, { maxLength: 30 }), { maxLength: 5 }), (batches) => {
        const layout = new Layout()
        for (const batch of batches) layout.addBatch(batch)
        const sizes = batches.flat()
        const seen = new Map<number, number>()
        let at = 0
        for (let index = 0; index < layout.chunks; index++) {
          const chunk = layout.chunk(index)
          expect(chunk).toMatchObject({ index, start: at })
          expect(chunk.length).toBeLessThanOrEqual(LEAF_BYTES)
          expect(chunk.pieces.reduce((sum, { length }) => sum + length, 0)).toBe(chunk.length)
          for (const { file, fileOffset, length } of chunk.pieces) {
            expect(fileOffset).toBe(seen.get(file) ?? 0)
            seen.set(file, fileOffset + length)
          }
          expect(layout.chunkAt(at).index).toBe(index)
          expect(layout.chunkAt(at + chunk.length - 1).index).toBe(index)
          at += chunk.length
        }
        expect(at).toBe(layout.bytes)
        sizes.forEach((bytes, file) => expect(seen.get(file) ?? 0).toBe(bytes))
      }),
    )
  })

  it('packs small files, no more than the bound into one chunk', () => {
    const layout = new Layout()
    layout.addBatch(new Array<number>(MAX_PACKED_FILES * 2).fill(10))
    expect([layout.chunks, layout.chunk(0).pieces.length]).toEqual([2, MAX_PACKED_FILES])
  })

  it('never lets a chunk reach into a batch that is not known yet', () => {
    const layout = new Layout()
    layout.addBatch([10, 10])
    const before = layout.chunk(0)
    layout.addBatch([10])
    expect(layout.chunk(0)).toEqual(before)
  })
})
