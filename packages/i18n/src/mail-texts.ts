import { mail as english, type MailKey } from './en-us/mail.ts'
import type { Locale } from './locales.ts'
import { filledText, type TextValues } from './placeholders.ts'
import { mail as chinese } from './zh-cn/mail.ts'

const TEXTS = { 'zh-CN': chinese, 'en-US': english } as const

/** What a mail may be about. */
export const MAIL_TEMPLATES = [
  'sign-in-code',
  'reset-code',
  'email-changed',
  'invitation',
  'test',
  'notice',
  'share-link',
  'invite-link',
  'link-code',
  'link-downloaded',
  'link-uploaded',
  'link-expiring',
  'share-reminder',
  'invite-reminder',
] as const
export type MailTemplate = (typeof MAIL_TEMPLATES)[number]

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

/** The plain texts of a mail. Values are put in once, as they are: markup and placeholders in them stay text. */
export function mailTexts(locale: Locale, template: MailTemplate, values: TextValues): MailTexts {
  const texts: Readonly<Record<MailKey, string>> = TEXTS[locale]
  return {
    subject: filledText(texts[`${template}.subject`], values),
    paragraphs: texts[`${template}.body`]
      .split('\n\n')
      .map((paragraph) => ({ text: filledText(paragraph, values), isCode: paragraph === '{code}' }))
      .filter(({ text }) => text !== ''),
    footer: filledText(texts.footer, values),
  }
}
