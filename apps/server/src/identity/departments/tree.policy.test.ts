import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heightOf, lineOf, type Branch } from './tree.policy.ts'

/** Every department hangs below an earlier one or the root, as edits keep it. */
const trees = fc
  .array(fc.nat())
  .map((numbers) => numbers.map((number, at): Branch => ({ id: at + 1, parent_id: number % (at + 1) })))

describe('the tree of departments', () => {
  it('leads from every department to the root, in as many steps as its level', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id, parent_id: parentId } of tree) {
          expect(lineOf(tree, id)).toEqual(parentId === 0 ? [id] : [id, ...lineOf(tree, parentId)])
        }
      }),
    )
  })

  it('is as high as its longest line', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { id } of tree) {
          const below = tree.map((branch) => lineOf(tree, branch.id).indexOf(id) + 1)
          expect(heightOf(tree, id)).toBe(Math.max(...below))
        }
      }),
    )
  })

  it('ends a walk in a loop', () => {
    const loop = [
      { id: 1, parent_id: 2 },
      { id: 2, parent_id: 1 },
    ]
    expect(lineOf(loop, 1)).toEqual([1, 2])
    expect(heightOf(loop, 1)).toBeGreaterThan(2)
  })
})
