export type { ErrorData } from './error-message.ts'
export { errorText, failureText } from './error-texts.ts'
export { LOCALES, pickLocale } from './locales.ts'
export type { Locale } from './locales.ts'
