import { describe, expect, it } from 'vitest'
import { cellText } from './cell-text.ts'

describe('a cell of a workbook', () => {
  it.each([
    [null, ''],
    ['=1+1', '=1+1'],
    [12.5, '12.5'],
    [true, 'true'],
    [new Date('2026-11-22T00:00:00Z'), '2026-11-22'],
    [new Date('2026-11-22T09:30:05Z'), '2026-11-22 09:30:05'],
  ])('%j is shown as %s', (value, text) => expect(cellText(value)).toBe(text))
})
