import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'
import { csvRows } from '../../lib/csv-rows.ts'

describe('the cells of a CSV file', () => {
  it('are separated by what the first line has', () => {
    expect(csvRows('a,b\r\n1,2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(csvRows('a;b\n1,5;2')).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ])
    expect(csvRows('\uFEFF账号\t姓名\n')).toEqual([['账号', '姓名']])
  })

  it('come back as they were written, unless a spreadsheet would compute them', () => {
    const isPlain = (text: string) => !/^'*\s*[=+\-@]|^"/.test(text) && !/[;\t\r\n]/.test(text)
    const cell = fc.string({ minLength: 1 }).filter(isPlain)
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        expect(csvRows(csvOf([['a', 'b'], ...rows])).slice(1)).toEqual(rows)
      }),
    )
  })
})
