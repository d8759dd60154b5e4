import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'

describe('a list as CSV', () => {
  it('begins with the mark by which Excel knows UTF-8', () => expect(csvOf([['名称']])).toBe('\uFEFF名称'))

  it('quotes what would break a line or a cell', () => {
    expect(csvOf([['a,b', 'say "hi"', 'two\nlines']])).toBe('\uFEFF"a,b","say ""hi""","two\nlines"')
  })

  it('keeps every cell text, whatever it begins with', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r']) {
      fc.assert(
        fc.property(fc.string(), (rest) => {
          const [cell = ''] = csvOf([[`${start}${rest}`]])
            .slice(1)
            .split(',', 1)
          expect(cell.replace(/^"/, '')[0]).toBe("'")
        }),
      )
    }
  })
})
