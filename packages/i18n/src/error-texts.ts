import { errorByWire, type ErrorName, type Failure, type NameFault, type PasswordFault } from '@godwit/contract'
import { detailedErrors as enDetailed } from './en-us/detailed-errors.ts'
import { errors as enErrors } from './en-us/errors.ts'
import * as enFaults from './en-us/faults.ts'
import type { Locale } from './locales.ts'
import { filledText, placeholders, type TextValues } from './placeholders.ts'
import { detailedErrors as zhDetailed } from './zh-cn/detailed-errors.ts'
import { errors as zhErrors } from './zh-cn/errors.ts'
import * as zhFaults from './zh-cn/faults.ts'

export type ErrorData = Readonly<Record<string, unknown>>

const TEXTS = {
  'zh-CN': { errors: zhErrors, detailed: zhDetailed, faults: zhFaults },
  'en-US': { errors: enErrors, detailed: enDetailed, faults: enFaults },
}

/**
 * The text a person sees for an error.
 * @param data the error's details; of them only numbers and known faults reach the text, because other values may name
 * things the reader must not see
 */
export function errorText(locale: Locale, name: ErrorName, data: ErrorData = {}): string {
  const { errors, detailed, faults } = TEXTS[locale]
  if (name === 'NAME_INVALID') return known(faults.nameFaultTexts, data['fault']) ?? errors[name]
  if (name === 'PASSWORD_WEAK' && Array.isArray(data['faults'])) {
    return known(faults.passwordFaultTexts, data['faults'][0]) ?? errors[name]
  }
  if (name === 'SMTP_FAILED' || name === 'MAIL_ACCOUNT_INVALID') {
    return known(faults.smtpReasonTexts, data['reason']) ?? errors[name]
  }
  const template = detailed[name]
  return (template === undefined ? undefined : filled(template, numbersOf(data))) ?? errors[name]
}

/**
 * The text for an answer of the server: by its code, else the message it carries, else "unknown error" with the code
 * (document 3, section 8).
 */
export function failureText(locale: Locale, failure: Pick<Failure, 'code' | 'data'> & { message?: string }): string {
  const name = errorByWire(failure.code)
  if (name !== undefined) return errorText(locale, name, failure.data)
  if (failure.message !== undefined && failure.message !== '') return failure.message
  return TEXTS[locale].faults.unknownError.replace('{code}', String(failure.code))
}

/** The text for an answer that is no envelope: neither HTTP 200 nor 400, or no JSON. */
export function serverUnavailableText(locale: Locale): string {
  return TEXTS[locale].faults.serverUnavailable
}

export function nameFaultText(locale: Locale, fault: NameFault): string {
  return TEXTS[locale].faults.nameFaultTexts[fault]
}

export function passwordFaultText(locale: Locale, fault: PasswordFault): string {
  return TEXTS[locale].faults.passwordFaultTexts[fault]
}

function known(texts: Readonly<Record<string, string>>, fault: unknown): string | undefined {
  return typeof fault === 'string' && Object.hasOwn(texts, fault) ? texts[fault] : undefined
}

/** The wire gives times in seconds, people read minutes. */
function numbersOf(data: ErrorData): ErrorData {
  return { ...data, lockMinutes: minutes(data['lockPeriod']), minutesLeft: minutes(data['retryAfterSeconds']) }
}

function minutes(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? Math.ceil(seconds / 60) : undefined
}

/** @returns undefined when a placeholder has no number to fill it */
function filled(template: string, data: ErrorData): string | undefined {
  const isComplete = placeholders(template).every((name) => Number.isFinite(data[name]))
  return isComplete ? filledText(template, data as TextValues) : undefined
}
