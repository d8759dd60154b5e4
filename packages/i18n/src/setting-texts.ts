import { settingChoices as englishChoices, settings as english, type SettingTextKey } from './en-us/settings.ts'
import type { Locale } from './locales.ts'
import { mailName } from './mail-names.ts'
import { MAIL_PARTS, MAIL_TEMPLATES, type MailPart, type MailTemplate } from './mail-texts.ts'
import { settingChoices as chineseChoices, settings as chinese } from './zh-cn/settings.ts'

const MAIL_LANGUAGES = { en: 'en-US', zh: 'zh-CN' } as const satisfies Readonly<Record<string, Locale>>
type MailLanguage = keyof typeof MAIL_LANGUAGES

/** A setting with words of a mail: `mail.invitation.subject.en`. */
export type MailWordsKey = `mail.${MailTemplate}.${MailPart}.${MailLanguage}`

export interface MailWordsSetting {
  readonly key: MailWordsKey
  readonly template: MailTemplate
  readonly part: MailPart
  readonly locale: Locale
}

/** The settings with the words of mails. Their texts are made from the names of the mails. */
export const MAIL_WORDS_SETTINGS: readonly MailWordsSetting[] = MAIL_TEMPLATES.flatMap((template) =>
  (Object.keys(MAIL_LANGUAGES) as MailLanguage[]).flatMap((language) =>
    MAIL_PARTS.map((part) => ({
      key: `mail.${template}.${part}.${language}` as const,
      ...{ template, part, locale: MAIL_LANGUAGES[language] },
    })),
  ),
)
const MAIL_WORDS = new Map<string, MailWordsSetting>(MAIL_WORDS_SETTINGS.map((setting) => [setting.key, setting]))

/** Every setting that has its texts. */
export const SETTING_TEXT_KEYS: readonly string[] = [
  ...(Object.keys(english) as SettingTextKey[]),
  ...MAIL_WORDS_SETTINGS.map(({ key }) => key),
]

/** What a setting is for; '' for a key without texts, which the tests of the server refuse. */
export function settingText(locale: Locale, key: string): string {
  const words = MAIL_WORDS.get(key)
  if (words !== undefined) return mailWordsText(locale, words)
  const texts: Readonly<Record<string, string>> = locale === 'zh-CN' ? chinese : english
  return texts[key] ?? ''
}

function mailWordsText(locale: Locale, { template, part, locale: of }: MailWordsSetting): string {
  const name = mailName(locale, template)
  if (locale === 'en-US')
    return `E-mail “${name}”: ${part === 'body' ? 'text' : part}, ${of === 'en-US' ? 'English' : 'Chinese'}`
  return `邮件“${name}”：${part === 'body' ? '正文' : '主题'}（${of === 'en-US' ? '英文' : '中文'}）`
}

/** What a value of a choice means; '' for a setting that is none. */
export function choiceText(locale: Locale, key: string, value: number): string {
  const texts: Readonly<Record<string, Readonly<Record<number, string>>>> =
    locale === 'zh-CN' ? chineseChoices : englishChoices
  return texts[key]?.[value] ?? ''
}
