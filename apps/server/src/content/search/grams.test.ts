import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gramQuery, gramsOf } from './grams.ts'

/** Few characters, so that texts meet names; two planes, and both sides of the surrogates. */
const characters = fc.constantFrom('a', 'b', '.', '文', '件', '𝄞', '\ud7ff', '\ue000', '\u{10ffff}')
const texts = (maxLength: number) => fc.string({ unit: characters, maxLength })

function mayContain(name: string, text: string): boolean {
  const query = gramQuery(text)
  const grams = gramsOf(name)
  switch (query.kind) {
    case 'all-blocks':
      return true
    case 'every':
      return query.grams.every((gram) => grams.includes(gram))
    case 'prefix':
      return grams.some((gram) => isAtLeast(gram, query.from) && !(query.to !== undefined && isAtLeast(gram, query.to)))
  }
}

/** By code points, as both databases compare. */
function isAtLeast(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) >= 0
}

describe('grams', () => {
  it('lead from every part of a name to the name', () => {
    fc.assert(
      fc.property(texts(12), texts(6), texts(12), (before, part, after) => {
        expect(mayContain(before + part + after, part)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of one or two characters match only names that have them', () => {
    fc.assert(
      fc.property(texts(8), texts(2), (name, text) => {
        expect(mayContain(name, text)).toBe(name.includes(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('find a word of two Chinese characters anywhere', () => {
    expect(mayContain('项目文件.docx', '文件')).toBe(true)
    expect(mayContain('项目文件.docx', '件文')).toBe(false)
  })
})
