import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectLines, MAX_LINE } from './text-lines.ts'

function linesOf(pieces: readonly string[]): readonly string[] {
  const collector = collectLines()
  pieces.forEach((piece, at) => collector.add(piece, at === pieces.length - 1))
  return collector.lines
}

describe('lines of a text', () => {
  it('are the same wherever it is cut in pieces', () => {
    const piece = fc.array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
        expect(linesOf(pieces)).toEqual(linesOf([pieces.join('')]))
      }),
    )
  })
  it('end at every kind of line end, and the last end begins no line', () => {
    expect(linesOf(['one\r\ntwo\nthree\rfour\n'])).toEqual(['one', 'two', 'three', 'four'])
    expect(linesOf([''])).toEqual([''])
  })
  it('are folded when they are long, under one number', () => {
    const collector = collectLines()
    collector.add(`${'x'.repeat(MAX_LINE + 1)}\nnext`, true)
    expect(collector.lines.map((line) => line.length)).toEqual([MAX_LINE, 1, 4])
    expect(collector.numbers).toEqual([1, 0, 2])
  })
})
