import { settingChoices as englishChoices, settings as english, type SettingTextKey } from './en-us/settings.ts'
import type { Locale } from './locales.ts'
import { settingChoices as chineseChoices, settings as chinese } from './zh-cn/settings.ts'

/** Every setting that has its texts. */
export const SETTING_TEXT_KEYS = Object.keys(english) as readonly SettingTextKey[]

/** What a setting is for; '' for a key without texts, which the tests of the server refuse. */
export function settingText(locale: Locale, key: string): string {
  const texts: Readonly<Record<string, string>> = locale === 'zh-CN' ? chinese : english
  return texts[key] ?? ''
}

/** What a value of a choice means; '' for a setting that is none. */
export function choiceText(locale: Locale, key: string, value: number): string {
  const texts: Readonly<Record<string, Readonly<Record<number, string>>>> =
    locale === 'zh-CN' ? chineseChoices : englishChoices
  return texts[key]?.[value] ?? ''
}
