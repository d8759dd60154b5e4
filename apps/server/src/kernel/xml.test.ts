import { naughtyStrings } from '@godwit/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsIn, escapeXml, parseXml, writeXml, type XmlElement } from './xml.ts'

function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}

/** XML 1.0 holds no control characters but these three, and neither of the last two of the first plane. */
function isWritable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code === 9 || code === 10 || code === 13 || (code >= 32 && code !== 0xfffe && code !== 0xffff)
}

describe('XML of WebDAV', () => {
  it('resolves prefixes, defaults and what takes them back', () => {
    const root = parseXml(
      '<a xmlns="DAV:" xmlns:x="urn:x"><x:b/><c xmlns=""><d/></c><x:e xmlns:x="urn:y" x:f="1" g="2"/></a>',
    )
    expect(root.name).toBe('{DAV:}a')
    const [b, c, e] = elementsIn(root)
    expect([b?.name, c?.name, e?.name]).toEqual(['{urn:x}b', 'c', '{urn:y}e'])
    expect(e?.attributes).toEqual([
      ['{urn:y}f', '1'],
      ['g', '2'],
    ])
    expect(elementsIn(c ?? root)[0]?.name).toBe('d')
  })

  it.each([
    ['nothing', ''],
    ['text alone', 'text'],
    ['an element that is not closed', '<a>'],
    ['elements that overlap', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a/>'],
    ['an outside entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['an entity of its own', '<a>&x;</a>'],
    ['an ampersand', '<a>a & b</a>'],
    ['a number that is no character', '<a>&#xD800;</a>'],
    ['a control character by number', '<a>&#1;</a>'],
    ['a prefix that nobody declared', '<x:a/>'],
    ['a prefix for nothing', '<a xmlns:x=""/>'],
    ['an attribute twice', '<a x="1" x="2"/>'],
    ['an attribute without quotes', '<a x=1/>'],
    ['a lone surrogate', '<a>\uD800</a>'],
    ['what is nested without end', '<a>'.repeat(100) + '</a>'.repeat(100)],
  ])('refuses %s', (_what, text) => {
    expect(() => parseXml(text)).toThrow(expect.objectContaining({ code: 'PARAMETER_INVALID' }))
  })

  it('reads every naughty string back as it was written', () => {
    for (const text of naughtyStrings()) {
      const held = [...text].map((one) => (isWritable(one) ? one : '\uFFFD')).join('')
      expect(textOf(parseXml(`<a>${escapeXml(text)}</a>`))).toBe(held)
      expect(parseXml(`<a b="${escapeXml(text)}"/>`).attributes).toEqual([['b', held]])
    }
  })

  it('reads what it wrote', () => {
    const name = fc.stringMatching(/^[a-z][\w.-]{0,8}$/)
    const text = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((raw) => raw.toWellFormed().replaceAll(/\p{Cc}/gu, ''))
    const elementOf = (children: fc.Arbitrary<XmlElement[]>): fc.Arbitrary<XmlElement> =>
      fc.record({
        name: fc.tuple(fc.constantFrom('', '{DAV:}', '{urn:"<&>}'), name).map((parts) => parts.join('')),
        attributes: fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key, maxLength: 3 }),
        children,
        language: fc.constant(undefined),
      })
    const element = elementOf(
      fc.array(elementOf(fc.array(elementOf(fc.constant([])), { maxLength: 2 })), { maxLength: 2 }),
    )
    fc.assert(
      fc.property(element, text, (given, content) => {
        const root = content === '' ? given : { ...given, children: [content, ...given.children] }
        expect(parseXml(writeXml(root))).toEqual(root)
      }),
    )
  })
})
