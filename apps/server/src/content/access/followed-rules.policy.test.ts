import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followedRules } from './followed-rules.policy.ts'
import { compilePatterns } from './patterns.ts'

function added(pattern: string, from: string, to: string): readonly string[] {
  return followedRules({ forbiddenPaths: [pattern] }, { from, to })?.forbiddenPaths?.slice(1) ?? []
}

describe('a rule', () => {
  it.each([
    ['/plans', '/plans', '/old/plans', ['/old/plans']],
    ['/Plans', '/plans', '/done', ['/done']],
    ['/a/b/secret', '/a', '/c', ['/c/b/secret']],
    ['/a/b/secret*', '/a/b', '/c', ['/c/secret*']],
    ['/a/*', '/a', '/c', ['/c/*']],
    ['/*/pay', '/a/pay', '/a/open', ['/a/open']],
    ['/*/pay', '/a', '/x/a', ['/x/a/pay']],
    ['/a/**/pay', '/a/b', '/x', ['/x/**/pay']],
    ['/a**b/pay', '/ax/yb', '/c', ['/c/**/*b/pay', '/c/pay']],
  ])('%s follows %s to %s', (pattern, from, to, expected) => expect(added(pattern, from, to)).toEqual(expected))

  it.each([
    ['about another thing', '/plans', '/other', '/old'],
    ['about a folder above', '/plans', '/plans/may', '/may'],
    ['about whatever lies in a folder', '/plans/*', '/plans/may', '/may'],
    ['about all below a folder', '/plans/**', '/plans/may', '/may'],
    ['without an anchor', 'secret', '/secret', '/open'],
    ['that holds at the new path as well', '/**/pay', '/a', '/b'],
    ['that holds above the new path', '/p*', '/pay', '/plans/pay'],
    ['that names every place alike', '/*/*', '/a', '/x/a'],
  ])('%s stays as it is', (_case, pattern, from, to) => expect(added(pattern, from, to)).toEqual([]))

  it('that would be too long holds by its last names', () => {
    expect(added('/a', '/a', `/${'d'.repeat(200)}/${'e'.repeat(80)}`)).toEqual(['e'.repeat(80)])
  })

  it('about what is allowed follows nothing: it would open the new path in every place', () => {
    expect(followedRules({ allowedPaths: ['/a'] }, { from: '/a', to: '/b' })).toBeUndefined()
  })

  it('hides what it named, wherever that moved', () => {
    const name = fc.constantFrom('a', 'b', 'ab')
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`)
    const segment = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*', '*b', 'a**b')
    const pattern = fc
      .tuple(fc.array(segment, { maxLength: 3 }), name)
      .map(([all, last]) => `/${[...all, last].join('/')}`)
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), path, path, path, (patterns, from, to, below) => {
        const thing = compilePatterns(patterns)
        // Where a folder above is meant, it is about what lies in that.
        const above = from.slice(0, from.lastIndexOf('/')) || '/'
        fc.pre(!thing.covers(above) && thing.covers(from + below))
        const rules = followedRules({ forbiddenPaths: patterns }, { from, to })?.forbiddenPaths ?? patterns
        expect(compilePatterns(rules).covers(to + below)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
