import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { TextSite } from './testing/text-site.ts'

const WORDS = [
  'plan',
  'Plans',
  'planning',
  'été',
  'ete',
  'a',
  'x1',
  '项目',
  '预算',
  '项',
  '目标项目',
  'п',
  'Ж',
  'ＡＢＣ',
  'ﬁle',
  '文',
]
const GLUE = [' ', ' ', ', ', '\n', '', '-', '。']

const piece = fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...GLUE)).map((pair) => pair.join(''))
const document = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))
const query = fc.array(fc.oneof(piece, fc.constantFrom('pla', 'ab', 'fil', '目', '项目预', '目标', 'e', '算项')), {
  minLength: 1,
  maxLength: 3,
})

/** Latin, Cyrillic and digits stand for words; everything else of these documents is Chinese. */
function partsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return (
    plain.replaceAll(/(?<=[\u4e00-\u9fff]) *\n *(?=[\u4e00-\u9fff])/g, '').match(/[a-z0-9а-я]+|[\u4e00-\u9fff]+/g) ?? []
  )
}

/** Without any index: each part of the query begins a word, or is within a run of Chinese. */
function has(documentText: string, queryText: string): boolean {
  const there = partsOf(documentText)
  const wanted = partsOf(queryText)
  const isChinese = (part: string): boolean => part >= '\u4e00'
  const matches =
    (part: string) =>
    (each: string): boolean =>
      isChinese(part) ? each.includes(part) : each.startsWith(part)
  return wanted.length > 0 && wanted.every((part) => there.some(matches(part)))
}

for (const { dialect, open } of DATABASES) {
  describe(`the index of texts on ${dialect}`, () => {
    let site: TextSite
    beforeAll(async () => void (site = await TextSite.open(await open())))
    afterAll(async () => site[Symbol.asyncDispose]())

    it('finds what a look through all documents finds', async () => {
      const worlds = fc.tuple(
        fc.array(document, { minLength: 1, maxLength: 45 }),
        fc.array(query, { minLength: 6, maxLength: 12 }),
      )
      const property = fc.asyncProperty(worlds, async ([texts, queries]) => {
        await site.names.nextAccount()
        for (const [at, text] of texts.entries()) site.names.onDisk(`${at}.txt`, text)
        await site.settle()
        for (const words of queries.map((parts) => parts.join(' '))) {
          const wanted = texts.flatMap((text, at) => (has(text, words) ? [`/${at}.txt`] : [])).toSorted()
          expect(await site.paths(words), words).toEqual(wanted)
        }
      })
      await fc.assert(property, { numRuns: 8 })
    })
  })
}
