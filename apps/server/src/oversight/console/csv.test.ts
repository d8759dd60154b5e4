import { describe, expect, it } from 'vitest'
import { csvCell } from './csv.ts'

describe('a cell of an export', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+49 30', `"'+49 30"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['plain', 'plain'],
    ['中文', '中文'],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
  ])('shows %j and computes nothing', (text, cell) => expect(csvCell(text)).toBe(cell))
})
