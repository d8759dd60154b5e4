import { describe, expect, it } from 'vitest'
import { inside as englishInside } from './en-us/inside.ts'
import { portal as englishFirst } from './en-us/portal.ts'
import { LOCALES } from './locales.ts'
import { loadErrorTexts, loadInsideTexts, loadPortalTexts, type PortalKey } from './portal.ts'
import { inside as chineseInside } from './zh-cn/inside.ts'
import { portal as chineseFirst } from './zh-cn/portal.ts'

const english = { ...englishFirst, ...englishInside }
const chinese = { ...chineseFirst, ...chineseInside }

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
    expect(KEYS).toHaveLength(Object.keys(englishFirst).length + Object.keys(englishInside).length)
  })

  it('load one language at a time', async () => {
    expect((await loadPortalTexts('zh-CN'))['sign-in.title']).toBe('登录')
    expect((await loadInsideTexts('en-US'))['storage.label']).toBe('Storage')
    expect((await loadErrorTexts('en-US')).errors.PATH_EXISTS).not.toBe('')
  })
})
