import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BatchRule, inOrder, planRenames } from './batch-rename.ts'

const file = (name: string) => ({ name, isFolder: false })
const plan = (names: readonly string[], rule: BatchRule, others: readonly string[] = []) =>
  planRenames(names.map(file), rule, [...names, ...others])
const to = (names: readonly string[], rule: BatchRule) => plan(names, rule).map((rename) => rename.to)

describe('renaming several entries', () => {
  it('numbers them, with as many digits as there are signs, and keeps the endings', () => {
    const rule = { mode: 'number', pattern: 'Trip ##', first: 9 } as const
    expect(to(['a.jpg', 'b.tar.gz', 'c'], rule)).toEqual(['Trip 09.jpg', 'Trip 10.tar.gz', 'Trip 11'])
    expect(to(['a.jpg'], { mode: 'number', pattern: 'Trip ', first: 1 })).toEqual(['Trip 1.jpg'])
  })

  it('replaces text wherever it stands, as it is written', () => {
    const rule = { mode: 'replace', find: 'a.', by: '$&' } as const
    expect(to(['a.a.txt', 'b.txt'], rule)).toEqual(['$&$&txt', 'b.txt'])
    expect(to(['a'], { mode: 'replace', find: '', by: 'x' })).toEqual(['a'])
  })

  it('adds text around the name, before its ending; a folder has none', () => {
    const rule = { mode: 'add', before: '(', after: ')' } as const
    expect(planRenames([file('a.b'), { name: 'c.d', isFolder: true }], rule, []).map((rename) => rename.to)).toEqual([
      '(a).b',
      '(c.d)',
    ])
  })

  it('names what is taken by an entry that stays, by another of them, or in another case, and what is no name', () => {
    const rule = { mode: 'replace', find: 'a', by: 'B' } as const
    expect(plan(['a1', 'a2'], rule, ['b1'])).toEqual([
      { from: 'a1', to: 'B1', fault: 'taken' },
      { from: 'a2', to: 'B2' },
    ])
    const twice = { mode: 'replace', find: '1', by: '' } as const
    expect(plan(['a1', 'a11'], twice).map(({ fault }) => fault)).toEqual(['taken', 'taken'])
    expect(plan(['1'], twice)).toEqual([{ from: '1', to: '', fault: 'empty' }])
    expect(plan(['a'], { mode: 'add', before: '', after: '?' })[0]?.fault).toBe('forbidden-character')
  })

  it('leaves a name to an entry that cannot be renamed itself', () => {
    const shift = { mode: 'number', pattern: '#', first: 2 } as const
    expect(plan(['1', '2'], shift, ['3']).map(({ fault }) => fault)).toEqual(['taken', 'taken'])
  })

  it('takes the name of one that makes way first, and refuses an exchange', () => {
    const shift = { mode: 'number', pattern: '#', first: 2 } as const
    const renames = plan(['1', '2', '3'], shift)
    expect(inOrder(renames).steps.map(({ from }) => from)).toEqual(['3', '2', '1'])
    const exchange = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ]
    expect(inOrder(exchange)).toEqual({ steps: [], stuck: exchange })
  })

  it('never writes over a name, whatever the names and the rule', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '1', '2', '.'), minLength: 1, maxLength: 3 })
    const rule = fc.oneof(
      fc.record({ mode: fc.constant('replace' as const), find: name, by: name }),
      fc.record({ mode: fc.constant('number' as const), pattern: name, first: fc.nat(3) }),
    )
    const names = fc.uniqueArray(name, { maxLength: 8, selector: (text) => text.toLowerCase() })
    fc.assert(
      fc.property(names, names, rule, (chosen, others, wanted) => {
        const staying = others.filter((other) => !chosen.some((one) => one.toLowerCase() === other.toLowerCase()))
        const there = new Set([...chosen, ...staying].map((each) => each.toLowerCase()))
        for (const step of inOrder(plan(chosen, wanted, staying)).steps) {
          there.delete(step.from.toLowerCase())
          expect(there.has(step.to.toLowerCase())).toBe(false)
          there.add(step.to.toLowerCase())
        }
      }),
    )
  })
})
