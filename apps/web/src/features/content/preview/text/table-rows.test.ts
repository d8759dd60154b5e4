import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectRows, MAX_CELLS, separatorOf } from './table-rows.ts'

function rowsOf(pieces: readonly string[], separator = ','): ReadonlyArray<readonly string[]> {
  const collector = collectRows(separator)
  pieces.forEach((piece, at) => collector.add(piece, at === pieces.length - 1))
  return collector.rows
}

describe('rows of a table', () => {
  it('keep what was written, quoted or not, wherever the text is cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r', '=', ' ') })
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 }), fc.nat(40), (table, cut) => {
        const text = table.map((row) => row.map(quoted).join(',')).join('\r\n')
        expect(rowsOf([text.slice(0, cut), text.slice(cut)])).toEqual(table)
      }),
    )
  })
  it('leave a formula as the text that it is', () => {
    expect(rowsOf(['=cmd|calc!A0,@SUM(1)\n'])).toEqual([['=cmd|calc!A0', '@SUM(1)']])
  })
  it('lose one line at most to a quote that is never closed', () => {
    expect(rowsOf(['a,"b\nc,d\n'])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })
  it('have a bounded number of cells', () => {
    expect(rowsOf([','.repeat(MAX_CELLS * 2)])[0]).toHaveLength(MAX_CELLS)
  })
})

it.each([
  ['a,b;c,d', ','],
  ['a;b;c', ';'],
  ['a\tb', '\t'],
  ['"a;b;c",d', ','],
  ['one column', ','],
])('the separator of %j is %j', (line, separator) => expect(separatorOf(line)).toBe(separator))
