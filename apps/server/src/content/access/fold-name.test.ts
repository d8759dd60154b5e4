import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldName } from './fold-name.ts'

describe('folding a name', () => {
  it.each([
    ['Report.PDF', 'report.pdf'],
    ['STRASSE', 'straße'],
    ['STRASSE', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['e\u0301', '\u00c9'],
    ['\u212a', 'k'],
    ['ﬁle', 'FILE'],
    ['ſ', 'S'],
    ['ᾳ', 'ᾼ'],
    ['Ǆ', 'ǆ'],
  ])('takes %s and %s for one name', (left, right) => expect(foldName(left)).toBe(foldName(right)))

  it.each([
    ['ı', 'i'],
    ['e', 'é'],
    ['a b', 'ab'],
    ['ｆ', 'f'],
  ])('tells %s from %s', (left, right) => expect(foldName(left)).not.toBe(foldName(right)))

  it('folds a character like its upper and its lower case', () => {
    const apart: number[] = []
    for (let code = 0; code < 0x2_0000; code++) {
      const character = String.fromCodePoint(code)
      const cases = [character.toUpperCase(), character.toLowerCase()].filter((other) => other !== character)
      // The dotless i is the only one whose upper case belongs to another letter.
      if (!character.isWellFormed() || cases.length === 0 || character === 'ı') continue
      if (cases.some((other) => foldName(other) !== foldName(character))) apart.push(code)
    }
    expect(apart).toEqual([])
  })

  it('gives the same again when it is applied again, in NFC', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (name) => {
        const folded = foldName(name)
        expect(foldName(folded)).toBe(folded)
        expect(folded.normalize('NFC')).toBe(folded)
        expect(foldName(name.normalize('NFD'))).toBe(folded)
      }),
      { numRuns: 5_000 },
    )
  })
})
