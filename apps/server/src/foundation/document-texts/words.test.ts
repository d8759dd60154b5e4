import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, prepareText } from './prepared-text.ts'
import { demandsOf, placesOf, termsOf, wantedParts } from './words.ts'

const folded = (raw: string): string => foldText(prepareText(raw))

describe('a text that is kept', () => {
  it('has ordinary characters, one space for any, and nothing that is not seen', () => {
    expect(prepareText(' Ａｎｎｕａｌ\r\n\t ﬁle\u202egpj.exe\u00ad\0x ')).toBe('Annual filegpj.exe x')
    expect(prepareText('预算（２），“x”…')).toBe('预算（2），“x”…')
    expect(prepareText('项目\n文件的 预算\n\n新段落 a\nb')).toBe('项目文件的 预算 新段落 a b')
  })

  it('is found whatever the case, the accents and the form of its characters', () => {
    for (const [left, right] of [
      ['RÉSUMÉ', 're\u0301sume'],
      ['ΟΔΟΣ', 'οδος'],
      ['İstanbul', 'ISTANBUL'],
      ['Ё', 'е'],
      ['が', 'か\u3099'],
    ] as const)
      expect(folded(left)).toBe(folded(right))
  })

  it('has each character where its folded form has it', () => {
    const anything = fc.string({
      unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 2 }), fc.constantFrom(...RARE)),
    })
    fc.assert(fc.property(anything, (raw) => folded(raw).length === prepareText(raw).length))
  })
})

const RARE = [
  '\u0301',
  '\u3099',
  'か',
  'ᄀ',
  'ᅡ',
  '\u200d',
  '\n',
  'İ',
  'ﷺ',
  'ẛ\u0323',
  'Å',
  '=\u0338',
  '（',
  '\u1025',
  '\u102e',
  'ﬃ',
  'e',
  '𐐀',
]

describe('words', () => {
  it('are letters and digits, and pairs of characters where words have no spaces', () => {
    expect([...termsOf(folded('Plan_2 of GODWIT项目文件, 预'))]).toEqual([
      'plan',
      '2',
      'of',
      'godwit',
      '项目',
      '目文',
      '文件',
      '件',
      '预',
    ])
  })

  it('are long, and found by how they begin', () => {
    const long = 'x'.repeat(30)
    expect([...termsOf(long)]).toEqual(['x'.repeat(24)])
    expect(demandsOf(wantedParts(long))).toEqual([{ term: 'x'.repeat(24), isBeginning: false }])
    expect(demandsOf(wantedParts('pla 预算表 文'))).toEqual([
      { term: 'pla', isBeginning: true },
      { term: '预算', isBeginning: false },
      { term: '算表', isBeginning: false },
      { term: '文', isBeginning: true },
    ])
  })

  it('stand at the beginning of a word, runs of characters anywhere', () => {
    const [word, run] = wantedParts('port 文件')
    expect(word && placesOf(word, 'report port, ports中文port', 9)).toEqual([7, 13, 20])
    expect(run && placesOf(run, '项目文件文件', 9)).toEqual([2, 4])
    expect(run && placesOf(run, '项目文件文件', 1)).toEqual([2])
  })

  it('of a document that has all parts of a query are what the query demands', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', ' ', '项', '目', '文', '1', '.', 'é'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, text, (document, query) => {
        const terms = [...termsOf(folded(document))]
        const parts = wantedParts(folded(query))
        const isThere = parts.every((part) => placesOf(part, folded(document), 1).length > 0)
        const isDemanded = demandsOf(parts).every(({ term, isBeginning }) =>
          terms.some((each) => (isBeginning ? each.startsWith(term) : each === term)),
        )
        return !isThere || isDemanded
      }),
    )
  })
})
