import { describe, expect, it } from 'vitest'
import { portal as englishFirst } from './en-us/portal.ts'
import { LOCALES } from './locales.ts'
import type { Locale } from './locales.ts'
import { loadErrorTexts, loadPortalTexts, loadTextBundle, TEXT_BUNDLES, type PortalKey } from './portal.ts'
import { portal as chineseFirst } from './zh-cn/portal.ts'

const bundlesOf = (locale: Locale) => Promise.all(TEXT_BUNDLES.map((name) => loadTextBundle(locale, name)))
const [englishParts, chineseParts] = [
  [englishFirst, ...(await bundlesOf('en-US'))],
  [chineseFirst, ...(await bundlesOf('zh-CN'))],
]
const allOf = (parts: readonly object[]) => Object.assign({}, ...parts) as Readonly<Record<PortalKey, string>>
const [english, chinese] = [allOf(englishParts), allOf(chineseParts)]

const KEYS = Object.keys(english) as PortalKey[]

function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? ''))].toSorted()
}

describe('texts of the portal', () => {
  it('stand in both languages under the same keys', () =>
    expect(Object.keys(chinese).toSorted()).toEqual(KEYS.toSorted()))

  it.each(KEYS)('%s takes the same values in both languages', (key) => {
    expect(placeholders(chinese[key])).toEqual(placeholders(english[key]))
  })

  it.each(KEYS.filter((key) => !key.startsWith('language.')))('%s keeps a space between Han and Latin', (key) => {
    const plain = chinese[key].replaceAll(/\{[^{}]*\}/g, '')
    expect(plain).not.toMatch(/[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/)
  })

  it('use the words of the house in Chinese', () => {
    expect(KEYS.filter((key) => /登陆|其它|您/.test(chinese[key]))).toEqual([])
  })

  it.each(KEYS)('%s counts in Chinese as Chinese does, without a singular', (key) => {
    expect(chinese[key]).not.toMatch(/, plural,[^}]*\bone \{/)
  })

  it.each(LOCALES)(
    'say in %s that nobody answered as the texts of errors do, which may be what did not arrive',
    async (locale) => {
      expect((await loadPortalTexts(locale))['app.unreachable']).toBe((await loadErrorTexts(locale)).unavailable)
    },
  )

  it('say nothing twice', () => {
    expect(KEYS).toHaveLength(englishParts.flatMap((part) => Object.keys(part)).length)
  })

  it('load one language at a time', async () => {
    expect((await loadPortalTexts('zh-CN'))['sign-in.title']).toBe('登录')
    expect((await loadTextBundle('en-US', 'inside'))['storage.label']).toBe('Storage')
    expect((await loadErrorTexts('en-US')).errors.PATH_EXISTS).not.toBe('')
  })
})
