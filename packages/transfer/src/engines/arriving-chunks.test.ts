import { LEAF_BYTES, seededRandom } from '@godwit/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Layout } from '../manifests/layout.ts'
import { ArrivingChunks } from './arriving-chunks.ts'

const SIZE = 2 * LEAF_BYTES + 1000
const bytes = seededRandom(3).fill(new Uint8Array(SIZE))
const PIECE = 200_000

/** Chunks that were complete, with the bytes of each; blocks are given back at once. */
function arriving() {
  const layout = new Layout()
  const seen = { complete: new Map<number, Buffer>(), superfluous: 0, given: 0 }
  const chunks = new ArrivingChunks(layout, {
    isWritten: (chunk) => seen.complete.has(chunk),
    left: () => [],
    complete(arrived) {
      const { index, length } = arrived.chunk
      expect(seen.complete.has(index)).toBe(false)
      seen.complete.set(index, Buffer.from(arrived.block.subarray(0, length)))
      seen.given += arrived.given
      chunks.release(arrived)
    },
    superfluous: (count) => (seen.superfluous += count),
  })
  return { layout, chunks, seen }
}

describe('chunks whose bytes arrive in any order', () => {
  it('are complete once, with their bytes, whenever list and hashes come, and give back every byte', () => {
    const piece = fc.nat(SIZE - 1)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(20), fc.nat(20), (starts, listAt, leavesAt) => {
        const { layout, chunks, seen } = arriving()
        const all = [...starts, ...Array.from({ length: Math.ceil(SIZE / PIECE) }, (_none, index) => index * PIECE)]
        let taken = 0
        const give = (start: number): void => {
          const part = bytes.subarray(start, start + PIECE)
          taken += part.length
          chunks.take(start, part)
        }
        const announce = (): void => {
          layout.addBatch([SIZE])
          chunks.takeEarly()
        }
        const addLeaves = (): void => [0, 1, 2].forEach((chunk) => chunks.addLeaves(chunk, new Uint8Array(32)))
        const steps = all.map((start) => () => give(start))
        steps.splice(listAt, 0, announce)
        const after = steps.indexOf(announce) + 1
        steps.splice(Math.max(after, leavesAt), 0, addLeaves)
        for (const step of steps) step()
        const arrived = Buffer.concat([0, 1, 2].map((chunk) => seen.complete.get(chunk) ?? Buffer.alloc(0)))
        expect(arrived.equals(bytes)).toBe(true)
        expect(seen.given + seen.superfluous).toBe(taken)
      }),
      { numRuns: 50 },
    )
  })

  it('refuse a peer whose bytes come before any list for ever', () => {
    const { chunks } = arriving()
    const part = new Uint8Array(8 * LEAF_BYTES)
    for (let count = 0; count < 8; count++) chunks.take(count * part.length, part)
    expect(() => chunks.take(0, part)).toThrow('bytes before the list')
  })
})
