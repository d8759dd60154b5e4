import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvOf, plainCell } from './csv.ts'

describe('a list as CSV', () => {
  it('begins with the mark by which Excel knows UTF-8', () => expect(csvOf([['名称']])).toBe('\uFEFF名称'))

  it('quotes what would break a line or a cell', () => {
    expect(csvOf([['a,b', 'say "hi"', 'two\nlines']])).toBe('\uFEFF"a,b","say ""hi""","two\nlines"')
  })

  it('keeps every cell text, whatever it begins with', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', ' =', '\n@', '\u00A0+', "'="]) {
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

  it('gives every cell back as it was', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^'{0,3}[ \u00A0]?[=+@a-]?[a-z ]*$/), (text) => {
        const [cell = ''] = csvOf([[text]])
          .slice(1)
          .split(',', 1)
        expect(plainCell(cell)).toBe(text)
      }),
    )
  })
})
