import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archives as englishArchives } from './en-us/archives.ts'
import { mail as english } from './en-us/mail.ts'
import { notices as englishNotices } from './en-us/notices.ts'
import { settings as englishSettings } from './en-us/settings.ts'
import { LOCALES } from './locales.ts'
import { MAIL_TEMPLATES, mailTexts } from './mail-texts.ts'
import { noticeTexts } from './notice-texts.ts'
import { placeholders } from './placeholders.ts'
import { archives as chineseArchives } from './zh-cn/archives.ts'
import { mail as chinese } from './zh-cn/mail.ts'
import { notices as chineseNotices } from './zh-cn/notices.ts'
import { settings as chineseSettings } from './zh-cn/settings.ts'

describe.each([
  ['archives', englishArchives, chineseArchives],
  ['mails', english, chinese],
  ['notices', englishNotices, chineseNotices],
  ['settings', englishSettings, chineseSettings],
] as ReadonlyArray<readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>)(
  'texts of %s',
  (_, en, zh) => {
    it('stand in both languages under the same keys, with the same values', () => {
      expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted())
      for (const [key, text] of Object.entries(en)) {
        expect([key, placeholders(zh[key] ?? '').toSorted()]).toEqual([key, placeholders(text).toSorted()])
      }
    })

    it('are English here and Chinese there, in the house style', () => {
      expect(Object.values(en).filter((text) => /\p{Script=Han}/u.test(text))).toEqual([])
      const spoken = Object.values(zh).filter((text) => text.replaceAll(/\{\w+\}/g, '').trim() !== '')
      expect(spoken.filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([])
      expect(
        spoken.filter((text) => /登陆|其它|您|\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(text)),
      ).toEqual([])
    })
  },
)

describe('a mail', () => {
  it('shows its code apart, in both languages', () => {
    const values = { account: 'mei', product: 'Godwit', code: '042517', minutes: 10, url: 'https://files.example.org' }
    for (const locale of LOCALES) {
      const { paragraphs, footer } = mailTexts(locale, 'sign-in-code', values)
      expect(paragraphs.filter(({ isCode }) => isCode)).toEqual([{ text: '042517', isCode: true }])
      expect(paragraphs.at(-1)?.text).toContain('10')
      expect(footer).toContain('https://files.example.org')
    }
  })

  it('keeps what people write as it is: no template runs in it (T55)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), fc.string(), (locale, typed) => {
        const evil = `{code}${typed}\${1+1}{{product}}$&$1`
        const { subject, paragraphs } = mailTexts(locale, 'notice', { title: evil, content: evil, product: 'P' })
        expect(subject).toBe(evil)
        expect(paragraphs).toEqual([{ text: evil, isCode: false }])
      }),
    )
  })

  it('has a subject and a text for everything it may be about', () => {
    for (const template of MAIL_TEMPLATES) expect(english[`${template}.subject`]).not.toBe('')
  })
})

describe('a notice', () => {
  it('is sent in the language of its reader', () => {
    const facts = { usedBytes: 95 * 2 ** 30, quotaBytes: 100 * 2 ** 30 }
    expect(noticeTexts('en-US', 'quota-nearly-full', facts).content).toContain(
      '95 % of your space is used (95 GB of 100 GB)',
    )
    expect(noticeTexts('zh-CN', 'quota-nearly-full', facts).content).toContain('空间已使用 95%（95 GB / 100 GB）')
    expect(noticeTexts('zh-CN', 'job-failed', { job: 'copy' }).title).toBe('任务失败：复制')
    expect(noticeTexts('en-US', 'job-failed', { job: 'constructor' }).title).toBe('A task has failed: background task')
    expect(noticeTexts('en-US', 'mail-failed', { recipient: 'a@b.cd', reason: 'refused' }).content).toContain(
      'Check the port',
    )
    expect(noticeTexts('en-US', 'mail-failed', { recipient: 'a@b.cd', reason: 'toString' }).content).not.toContain(
      'native',
    )
  })
})
