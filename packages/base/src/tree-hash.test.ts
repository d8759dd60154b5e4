import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinNodes, LEAF_BYTES, leafCount, leafNode, missingLeaves, treeRoot, type TreeNode } from './tree-hash.ts'

const hash = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

function leaves(count: number): TreeNode[] {
  return Array.from({ length: count }, (_, leaf) => leafNode(leaf, hash(Uint8Array.of(leaf & 255, leaf >> 8))))
}

/** The definition word for word: split at the largest power of two below n. */
function topByDefinition(row: readonly TreeNode[]): Buffer {
  if (row.length === 1) return Buffer.from(row[0]?.hash ?? '', 'hex')
  const split = 2 ** Math.ceil(Math.log2(row.length) - 1)
  const sides = [topByDefinition(row.slice(0, split)), topByDefinition(row.slice(split))]
  return Buffer.from(hash(Buffer.concat([Uint8Array.of(1), ...sides])))
}

function rootByDefinition(size: number, row: readonly TreeNode[]): string {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(size))
  return Buffer.from(hash(Buffer.concat([Buffer.from('godwit-tree-1\n'), length, topByDefinition(row)]))).toString(
    'hex',
  )
}

describe('tree hash', () => {
  it('has one leaf for each begun MiB, and one for an empty file', () => {
    expect([0, 1, LEAF_BYTES, LEAF_BYTES + 1, 5 * LEAF_BYTES].map(leafCount)).toEqual([1, 1, 1, 2, 5])
  })

  it('equals its definition for any number of leaves', () => {
    for (let count = 1; count <= 70; count++) {
      const size = count * LEAF_BYTES - 5
      expect(treeRoot(hash, size, leaves(count))).toBe(rootByDefinition(size, leaves(count)))
    }
  })

  it('is the same whatever parts, in whatever order, the file came in', () => {
    const anyCuts = fc
      .integer({ min: 1, max: 200 })
      .chain((count) => fc.tuple(fc.constant(count), fc.array(fc.integer({ min: 0, max: count })), fc.nat(1000)))
    fc.assert(
      fc.property(anyCuts, ([count, cuts, turn]) => {
        const row = leaves(count)
        const edges = [0, ...cuts.toSorted((a, b) => a - b), count]
        const parts = edges.slice(1).flatMap((end, index) => joinNodes(hash, row.slice(edges[index], end)))
        const turned = [...parts.slice(turn % parts.length), ...parts]
        expect(treeRoot(hash, count * LEAF_BYTES, turned)).toBe(rootByDefinition(count * LEAF_BYTES, row))
      }),
    )
  })

  it('keeps one node for a part of 8 MiB that begins at a multiple of 8 MiB', () => {
    expect(joinNodes(hash, leaves(24).slice(8, 16))).toMatchObject([{ leaf: 8, level: 3 }])
  })

  it('changes with the size, although the leaves are the same', () => {
    expect(treeRoot(hash, 10, leaves(1))).not.toBe(treeRoot(hash, 11, leaves(1)))
  })

  it('names the leaves that are missing and refuses to answer without them', () => {
    const some = joinNodes(hash, [...leaves(10).slice(0, 2), ...leaves(10).slice(5, 6)])
    expect(missingLeaves(10 * LEAF_BYTES, some)).toEqual([
      [2, 5],
      [6, 10],
    ])
    expect(() => treeRoot(hash, 10 * LEAF_BYTES, some)).toThrow('cover')
    expect(() => treeRoot(hash, LEAF_BYTES, leaves(2))).toThrow('cover')
  })
})
