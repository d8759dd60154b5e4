import type { ErrorName } from '@godwit/contract'
import { errorTexts as english } from './en-us/error-texts.ts'
import { type ErrorData, type ErrorFacts, errorMessage, namedErrorMessage } from './error-message.ts'
import type { Locale } from './locales.ts'
import { errorTexts as chinese } from './zh-cn/error-texts.ts'

/** Both languages at once, for programs that answer in either; a page loads the one it shows. */
const TEXTS = { 'zh-CN': chinese, 'en-US': english } as const

/** The text of an error that this program answers with. */
export function errorText(locale: Locale, name: ErrorName, data?: ErrorData): string {
  return namedErrorMessage(TEXTS[locale], name, data)
}

/** The text of an error that this program was answered with. */
export function failureText(locale: Locale, failure: ErrorFacts): string {
  return errorMessage(TEXTS[locale], failure)
}
