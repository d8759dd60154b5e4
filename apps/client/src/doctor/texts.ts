import { type FindingKey, type FindingText, findings as english } from './texts.en-us.ts'
import { findings as chinese } from './texts.zh-cn.ts'

export type { FindingKey, FindingText }
export type Locale = 'en-US' | 'zh-CN'
export type Values = Readonly<Record<string, string | number>>

/** The language that the system says its user reads. */
export function localeOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Locale {
  return (LC_ALL || LC_MESSAGES || LANG || '').toLowerCase().startsWith('zh') ? 'zh-CN' : 'en-US'
}

/** A finding in words. */
export function findingText(locale: Locale, key: FindingKey, values: Values): FindingText {
  const { text, who, next }: FindingText = (locale === 'zh-CN' ? chinese : english)[key]
  return {
    text: filled(text, values),
    ...(who === undefined ? {} : { who: filled(who, values) }),
    ...(next === undefined ? {} : { next: filled(next, values) }),
  }
}

/** Each value goes in once; what looks like a placeholder in a value stays text. */
function filled(template: string, values: Values): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
}
