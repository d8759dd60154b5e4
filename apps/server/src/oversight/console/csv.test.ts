import { describe, expect, it } from 'vitest'
import { csvCell } from './csv.ts'

describe('a cell of an export', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+49 30', `"'+49 30"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    [' =1+1', `"' =1+1"`],
    ['\n=1+1', `"'\n=1+1"`],
    ['\u00A0@SUM(A1)', `"'\u00A0@SUM(A1)"`],
    [`'=1`, `"''=1"`],
    [`'tis`, `"'tis"`],
    ['plain', 'plain'],
    ['中文', '中文'],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
  ])('shows %j and computes nothing', (text, cell) => expect(csvCell(text)).toBe(cell))
})
