import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, placesOf, prepareText, wantedParts } from '../../foundation/document-texts/index.ts'
import { snippetOf } from './snippet.ts'

function shown(raw: string, query: string) {
  const text = prepareText(raw)
  const parts = wantedParts(foldText(prepareText(query)))
  const { text: piece, marks } = snippetOf(text, foldText(text), parts)
  return { piece, marked: marks.map(({ start, end }) => piece.slice(start, end)), marks, text, parts }
}

describe('a snippet', () => {
  it('is the piece with most of what was looked for', () => {
    const raw = `budget ${'and so on '.repeat(40)}the Budget of the year ${'and so on '.repeat(40)}year`
    const { piece, marked } = shown(raw, 'year budget')
    expect(marked).toEqual(['Budget', 'year'])
    expect(piece.startsWith('…')).toBe(true)
    expect(piece.endsWith('…')).toBe(true)
  })

  it('shows a short text whole', () => {
    expect(shown('年度预算表', '预算').piece).toBe('年度预算表')
    expect(shown('年度预算表', '年度 度预').marked).toEqual(['年度预'])
  })

  it('has marks within it, apart and ascending, and no half character, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ' ', '预', '算', '😀', 'é', '.'), maxLength: 600 })
    fc.assert(
      fc.property(text, fc.constantFrom('a', 'ab 预', '预算', 'b 算'), (raw, query) => {
        const { piece, marks, text: whole, parts } = shown(raw, query)
        fc.pre(parts.every((part) => placesOf(part, foldText(whole), 1).length > 0))
        expect(piece.isWellFormed()).toBe(true)
        expect(piece.length).toBeLessThanOrEqual(162)
        expect(marks.length).toBeGreaterThan(0)
        let last = -1
        for (const { start, end } of marks) {
          expect(start).toBeGreaterThan(last)
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(piece.length)
      }),
    )
  })
})
