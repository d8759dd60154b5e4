import { createHash } from 'node:crypto'
import { LEAF_BYTES, MiB, treeRoot } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { blake3Hash, contradicts, LeafHasher, nodeOf, rootOfBytes } from './tree-hashes.ts'

function bytes(size: number): Buffer {
  const block = createHash('sha512').update(String(size)).digest()
  return Buffer.alloc(size, block)
}

function hashed(content: Buffer, start: number, end: number, step: number): LeafHasher {
  const hasher = new LeafHasher(start, content.length)
  for (let at = start; at < end; at += step) hasher.update(content.subarray(at, Math.min(at + step, end)))
  return hasher
}

describe('hashing leaves on the way', () => {
  it('gives the root of the whole, whatever the chunks', () => {
    for (const size of [1, MiB - 1, MiB, MiB + 1, 3 * MiB + 5]) {
      const content = bytes(size)
      for (const step of [65_536, 100_003, 4 * MiB]) {
        const leaves = hashed(content, 0, size, step).leaves(0, size)
        expect(treeRoot(blake3Hash, size, leaves)).toBe(rootOfBytes(content))
      }
    }
  })

  it('leaves out leaves that did not pass whole', () => {
    const content = bytes(4 * MiB)
    const leaves = hashed(content, 1000, 3 * MiB + 1, 65_536).leaves(0, 4 * MiB)
    expect(leaves.map(({ leaf }) => leaf)).toEqual([1, 2])
    expect(hashed(content, 0, 2 * MiB, 65_536).leaves(0, 2 * MiB - 1)).toHaveLength(1)
  })

  it('gives the leaves of any range, whatever it started in', () => {
    const content = bytes(5 * MiB + 9)
    const places = [0, 1, MiB - 1, MiB, 2 * MiB + 7, 4 * MiB, 5 * MiB, content.length - 1, content.length]
    for (const start of places) {
      const hasher = hashed(content, start, content.length, 300_007)
      const all = hasher.leaves(0, content.length)
      expect(all.map(({ leaf }) => leaf)).toEqual([0, 1, 2, 3, 4, 5].filter((leaf) => leaf * MiB >= start))
      for (const from of places)
        for (const to of places) {
          const isInside = ({ leaf }: { readonly leaf: number }): boolean =>
            leaf * MiB >= from && Math.min((leaf + 1) * MiB, content.length) <= to
          expect(hasher.leaves(from, to)).toEqual(all.filter(isInside))
        }
    }
  })

  it('counts only full leaves while the size is unknown', () => {
    const hasher = new LeafHasher(0, undefined)
    hasher.update(bytes(MiB + 5))
    expect(hasher.leaves(0, MiB + 5).map(({ leaf }) => leaf)).toEqual([0])
    expect(hasher.at).toBe(MiB + 5)
  })

  it('finds bytes that differ from those recorded, whatever nodes hold them', () => {
    const content = bytes(4 * LEAF_BYTES)
    const recorded = [{ leaf: 0, level: 2, hash: nodeOf(hashed(content, 0, content.length, MiB).leaves(0, 4 * MiB)) }]
    const same = hashed(content, 0, content.length, 77_777).leaves(0, 4 * MiB)
    expect(contradicts(recorded, same)).toBe(false)
    const other = Buffer.from(content)
    other[3 * MiB] = (other[3 * MiB] ?? 0) ^ 1
    const changed = hashed(other, 0, other.length, MiB).leaves(0, 4 * MiB)
    expect(contradicts(recorded, changed)).toBe(true)
    // Not all leaves below the node were seen: nothing can be said.
    expect(contradicts(recorded, changed.slice(1))).toBe(false)
  })

  it('tells 1,000 single flipped bits from the bytes that were declared', () => {
    const content = bytes(3000)
    const root = rootOfBytes(content)
    for (let bit = 0; bit < 1000; bit++) {
      const flipped = Buffer.from(content)
      const at = (bit * 7919) % (content.length * 8)
      flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
      expect(rootOfBytes(flipped)).not.toBe(root)
    }
  })
})
