import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOCALES } from './locales.ts'
import { MAIL_PARTS, MAIL_TEMPLATES, mailPlaceholders, mailTexts, mailWordsFault, shippedWords } from './mail-texts.ts'
import { MAIL_WORDS_SETTINGS, SETTING_TEXT_KEYS, settingText } from './setting-texts.ts'

describe('the words of a mail', () => {
  it('are fine as they are shipped', () => {
    for (const template of MAIL_TEMPLATES)
      for (const locale of LOCALES)
        for (const part of MAIL_PARTS)
          expect([template, mailWordsFault(template, part, shippedWords(locale, template)[part])]).toEqual([
            template,
            undefined,
          ])
  })

  it.each([
    ['sign-in-code', 'body', 'Hello {acount}, {code}', { kind: 'unknown', name: 'acount' }],
    ['sign-in-code', 'body', 'Hello {account}', { kind: 'missing', name: 'code' }],
    ['sign-in-code', 'subject', 'Your code', undefined],
    ['sign-in-code', 'subject', 'Your {code}', undefined],
    ['notice', 'body', 'See the portal', { kind: 'missing', name: 'content' }],
    ['test', 'body', 'Works: {product} at {url} {', { kind: 'braces', name: '' }],
    ['test', 'body', '{{product}}', { kind: 'braces', name: '' }],
    ['test', 'body', '{ product }', { kind: 'braces', name: '' }],
  ] as const)('%s, %s %j: %j', (template, part, text, fault) => {
    expect(mailWordsFault(template, part, text)).toEqual(fault)
  })

  it('that pass the check leave no brace in the mail, whatever they say', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...MAIL_TEMPLATES.flatMap(mailPlaceholders).map((name) => `{${name}}`)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...MAIL_TEMPLATES), fc.array(word), (template, words) => {
        const body = words.join('\n\n')
        fc.pre(mailWordsFault(template, 'body', body) === undefined)
        const values = Object.fromEntries(mailPlaceholders(template).map((name) => [name, 'x']))
        const { paragraphs } = mailTexts('en-US', template, values, { subject: 's', body })
        expect(paragraphs.map(({ text }) => text).join('')).not.toMatch(/[{}]/)
      }),
    )
  })

  it('have a setting each, whose texts are made from the name of the mail', () => {
    expect(MAIL_WORDS_SETTINGS).toHaveLength(MAIL_TEMPLATES.length * 4)
    expect(SETTING_TEXT_KEYS).toContain('mail.invitation.body.zh')
    expect(settingText('en-US', 'mail.invitation.body.zh')).toBe('E-mail “Invitation to an account”: text, Chinese')
    expect(settingText('zh-CN', 'mail.invitation.subject.en')).toBe('邮件“账号邀请”：主题（英文）')
  })
})
