import type { Locale } from '@godwit/i18n'
import { mailWordsFault, shippedWords, type MailTemplate, type MailWords } from '@godwit/i18n/mail-texts'
import { MAIL_WORDS_SETTINGS, type MailWordsSetting } from '@godwit/i18n/setting-texts'
import { z } from 'zod'
import { defineSettings, setting, type SettingSpec } from '../../kernel/setting.ts'
import type { Settings } from '../settings/index.ts'

const SUBJECT_MAX = 200
const BODY_MAX = 4000

/** The words of every mail in both languages; the shipped ones are the defaults. */
export const MAIL_WORDS_GROUP = defineSettings(
  Object.fromEntries(
    MAIL_WORDS_SETTINGS.map((words) => [words.key, setting(schemaOf(words), { tab: 'mail' })]),
  ) as Readonly<Record<string, SettingSpec<z.ZodType<string>>>>,
)

function schemaOf({ template, part, locale }: MailWordsSetting) {
  const isBody = part === 'body'
  const [most, unfit] = isBody ? [BODY_MAX, /[\p{Cs}]|(?!\n)\p{Cc}/u] : [SUBJECT_MAX, /[\p{Cc}\p{Cs}]/u]
  return z
    .preprocess(
      // A command line and a page may end their lines either way.
      (value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value),
      z
        .string()
        .min(1, 'must not be empty')
        .max(most, `must have at most ${most} characters`)
        .refine((text) => !unfit.test(text), isBody ? 'must be plain text' : 'must be one line of text')
        .superRefine((text, issues) => {
          const fault = faultText(template, part, text)
          if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault })
        })
        .meta(isBody ? { format: 'lines' } : {}),
    )
    .default(shippedWords(locale, template)[part])
}

function faultText(template: MailTemplate, part: MailWordsSetting['part'], text: string): string | undefined {
  const fault = mailWordsFault(template, part, text)
  switch (fault?.kind) {
    case undefined:
      return undefined
    case 'unknown':
      return `must not have {${fault.name}}, which this mail has no value for`
    case 'missing':
      return `must have {${fault.name}}`
    case 'braces':
      return 'must have braces around placeholders only'
  }
}

/** The words in force. */
export async function wordsInForce(settings: Settings, locale: Locale, template: MailTemplate): Promise<MailWords> {
  const values = await settings.of(MAIL_WORDS_GROUP)
  const language = locale === 'zh-CN' ? 'zh' : 'en'
  const shipped = shippedWords(locale, template)
  const word = (part: 'subject' | 'body'): string => values[`mail.${template}.${part}.${language}`] ?? shipped[part]
  return { subject: word('subject'), body: word('body') }
}
