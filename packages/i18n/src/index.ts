export { errorText, failureText, nameFaultText, passwordFaultText, serverUnavailableText } from './error-texts.ts'
export type { ErrorData } from './error-texts.ts'
export { LOCALES, pickLocale } from './locales.ts'
export type { Locale } from './locales.ts'
