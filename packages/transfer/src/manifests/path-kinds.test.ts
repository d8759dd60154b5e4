import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PathKind, PathKinds } from './path-kinds.ts'

describe('which names are taken', () => {
  it('is answered like a map of texts would', () => {
    const kind = fc.constantFrom<PathKind>('file', 'directory')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 12 }), kind), { maxLength: 4000 }),
        (pairs) => {
          const [kinds, map] = [new PathKinds(), new Map<string, PathKind>()]
          for (const [name, one] of pairs) {
            expect(kinds.get(name)).toBe(map.get(name))
            kinds.set(name, one)
            map.set(name, one)
          }
          for (const [name, one] of map) expect(kinds.get(name)).toBe(one)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('keeps 300,000 names of the same pattern apart', () => {
    const kinds = new PathKinds()
    const clashes = Array.from({ length: 300_000 }, (_value, index) => `photos/2026/img_${index}.jpg`).filter(
      (name) => {
        const isTaken = kinds.get(name) !== undefined
        kinds.set(name, 'file')
        return isTaken
      },
    )
    expect(clashes).toEqual([])
  })
})
