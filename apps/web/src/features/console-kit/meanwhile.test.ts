import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeMeanwhile } from './meanwhile.ts'

const values = fc.record({ name: fc.constantFrom('a', 'b', 'c'), email: fc.constantFrom('x', 'y', 'z') })

describe('two administrators at one object', () => {
  it('names what the other changed and what both changed', () => {
    const base = { name: 'Mia', email: 'mia@a.example', phone: '1' }
    const mine = { ...base, name: 'Mia L', phone: '2' }
    const theirs = { ...base, name: 'Mia Lin', email: 'mia@b.example' }
    expect(mergeMeanwhile(base, mine, theirs)).toEqual({
      taken: ['email'],
      disputed: ['name'],
      merged: { name: 'Mia L', email: 'mia@b.example', phone: '2' },
    })
  })

  it('loses no change of either, whatever they are', () => {
    fc.assert(
      fc.property(values, values, values, (base, mine, theirs) => {
        const { disputed, merged } = mergeMeanwhile(base, mine, theirs)
        for (const name of ['name', 'email'] as const) {
          if (mine[name] !== base[name]) expect(merged[name]).toBe(mine[name])
          else expect(merged[name]).toBe(theirs[name])
          const isDisputed = mine[name] !== base[name] && theirs[name] !== base[name] && mine[name] !== theirs[name]
          expect(disputed.includes(name)).toBe(isDisputed)
        }
      }),
    )
  })
})
