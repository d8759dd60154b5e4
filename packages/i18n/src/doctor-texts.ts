import { doctor as english, type DoctorKey } from './en-us/doctor.ts'
import type { Locale } from './locales.ts'
import { filledText, type TextValues } from './placeholders.ts'
import { doctor as chinese } from './zh-cn/doctor.ts'

const TEXTS: Readonly<Record<Locale, Readonly<Record<DoctorKey, string>>>> = { 'zh-CN': chinese, 'en-US': english }

type NoCode = `check.${string}` | `${string}.fix`

/** What a check found. */
export type DoctorCode = Exclude<DoctorKey, NoCode>

export interface FoundText {
  readonly check: string
  readonly code: DoctorCode
  readonly values: TextValues
}

/** Name of the check, what it found, and what mends it; the fix of a failure may depend on the check. */
export function doctorTexts(locale: Locale, { check, code, values }: FoundText) {
  const texts: Readonly<Record<string, string>> = TEXTS[locale]
  const fix = texts[`${code}.${check}.fix`] ?? texts[`${code}.fix`]
  return {
    title: texts[`check.${check}`] ?? check,
    message: filledText(texts[code] ?? code, values),
    ...(fix === undefined ? {} : { fix: filledText(fix, values) }),
  }
}
