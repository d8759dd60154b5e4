import { MAIL_KINDS, type MailKind } from '@godwit/contract/foundation/mail-kinds'
import { mail as english, type MailKey } from './en-us/mail.ts'
import type { Locale } from './locales.ts'
import { filledText, placeholders, type TextValues } from './placeholders.ts'
import { mail as chinese } from './zh-cn/mail.ts'

const TEXTS = { 'zh-CN': chinese, 'en-US': english } as const

/** What a mail may be about. */
export const MAIL_TEMPLATES = MAIL_KINDS
export type MailTemplate = MailKind

export interface MailTexts {
  readonly subject: string
  readonly paragraphs: readonly MailParagraph[]
  readonly footer: string
}

export interface MailParagraph {
  readonly text: string
  /** A code to copy, shown large. */
  readonly isCode: boolean
}

/** Subject and text of a mail, with placeholders such as `{account}`. Paragraphs are apart by an empty line. */
export interface MailWords {
  readonly subject: string
  readonly body: string
}
export const MAIL_PARTS = ['subject', 'body'] as const
export type MailPart = (typeof MAIL_PARTS)[number]

/** What the product says, unless the site has words of its own. */
export function shippedWords(locale: Locale, template: MailTemplate): MailWords {
  const texts: Readonly<Record<MailKey, string>> = TEXTS[locale]
  return { subject: texts[`${template}.subject`], body: texts[`${template}.body`] }
}

/** The plain texts of a mail. Values are put in once, as they are: markup and placeholders in them stay text. */
export function mailTexts(
  locale: Locale,
  template: MailTemplate,
  values: TextValues,
  words: MailWords = shippedWords(locale, template),
): MailTexts {
  return {
    subject: filledText(words.subject, values),
    paragraphs: words.body
      .split(/\n\s*\n/)
      .map((paragraph) => ({ text: filledText(paragraph, values), isCode: paragraph.trim() === '{code}' }))
      .filter(({ text }) => text.trim() !== ''),
    footer: filledText(TEXTS[locale].footer, values),
  }
}

/** What may stand in the words of a mail: what its shipped ones know, the name of the product and the address of the site. */
export function mailPlaceholders(template: MailTemplate): readonly string[] {
  const { subject, body } = shippedWords('en-US', template)
  return [...new Set([...placeholders(subject), ...placeholders(body), 'product', 'url'])]
}

/** Without these a mail would not do what it is sent for. */
export function neededPlaceholders(template: MailTemplate, part: MailPart): readonly string[] {
  if (part === 'subject') return []
  const { body } = shippedWords('en-US', template)
  return placeholders(body).filter((name) => name === 'code' || name === 'content')
}

export interface MailWordsFault {
  /** `unknown`: no value has this name. `missing`: the mail is useless without it. `braces`: a brace that opens or ends nothing. */
  readonly kind: 'unknown' | 'missing' | 'braces'
  readonly name: string
}

/** What is wrong with words that somebody wrote for a mail. */
export function mailWordsFault(template: MailTemplate, part: MailPart, text: string): MailWordsFault | undefined {
  const known = mailPlaceholders(template)
  const unknown = placeholders(text).find((name) => !known.includes(name))
  if (unknown !== undefined) return { kind: 'unknown', name: unknown }
  const missing = neededPlaceholders(template, part).find((name) => !placeholders(text).includes(name))
  if (missing !== undefined) return { kind: 'missing', name: missing }
  return /[{}]/.test(text.replaceAll(/\{\w+\}/g, '')) ? { kind: 'braces', name: '' } : undefined
}

const SAMPLES = {
  'en-US': {
    ...{
      account: 'mei',
      name: 'Contract draft',
      title: 'A title',
      content: 'What there is to say.',
      time: 'Friday, 18:00',
    },
    ...{ text: 'Hello, here is the draft.', files: 'draft.pdf\nterms.docx' },
  },
  'zh-CN': {
    ...{ account: 'mei', name: '合同草案', title: '标题', content: '通知的内容。', time: '周五 18:00' },
    ...{ text: '你好，这是草案。', files: 'draft.pdf\nterms.docx' },
  },
} as const

/** Values for a preview. */
export function mailSample(locale: Locale): TextValues {
  return { code: '042517', minutes: 10, days: 7, count: 2, ...SAMPLES[locale] }
}

/** Mails that lead to a page, whose address stands below their text. */
export function leadsSomewhere(template: MailTemplate): boolean {
  return shippedWords('en-US', template).body.endsWith(':') || template === 'notice'
}
