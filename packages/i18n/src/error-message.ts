import type { Failure, ImageFault, LicenceFault, NameFault, PasswordFault, SmtpReason } from '@godwit/contract'
import { errorByWire, type ErrorName } from '@godwit/contract/errors/catalogue'
import { filledText, placeholders, type TextValues } from './placeholders.ts'

/** Everything that can go wrong, in one language. */
export interface ErrorTexts {
  readonly errors: Readonly<Record<ErrorName, string>>
  /** Used in place of the plain text when the data of the error has a number for every placeholder. */
  readonly detailed: Readonly<Partial<Record<ErrorName, string>>>
  readonly names: Readonly<Record<NameFault, string>>
  readonly passwords: Readonly<Record<PasswordFault, string>>
  /** In place of QUOTA_EXCEEDED where the bytes are those of a group. */
  readonly groupFull: string
  readonly smtpReasons: Readonly<Record<SmtpReason, string>>
  readonly licences: Readonly<Record<LicenceFault, string>>
  readonly images: Readonly<Record<ImageFault, string>>
  /** For a number that the catalogue does not hold; `{code}` is the number. */
  readonly unknown: string
  /** For no answer, or one that is neither a success nor a business error. */
  readonly unavailable: string
}

export type ErrorData = Readonly<Record<string, unknown>>

/** An error as a caller receives it. */
export interface ErrorFacts {
  /** The number on the wire; 0 without a usable answer. */
  readonly code: number
  readonly message?: string
  readonly data?: Failure['data']
}

/**
 * The text that every program shows for an error: that of its code, else the message it carries, else "unknown error" with
 * the code.
 */
export function errorMessage(texts: ErrorTexts, { code, message = '', data }: ErrorFacts): string {
  if (code === 0) return texts.unavailable
  const name = errorByWire(code)
  if (name !== undefined) return namedErrorMessage(texts, name, data)
  return message === '' ? filledText(texts.unknown, { code }) : message
}

/**
 * The text of an error of the catalogue.
 * @param data the error's details. Only numbers and known reasons of them reach the text, because other values may name
 * things the reader must not see.
 */
export function namedErrorMessage(texts: ErrorTexts, name: ErrorName, data: ErrorData = {}): string {
  return reasonText(texts, name, data) ?? detailedText(texts.detailed[name], data) ?? texts.errors[name]
}

function reasonText(texts: ErrorTexts, name: ErrorName, data: ErrorData): string | undefined {
  if (name === 'NAME_INVALID') return known(texts.names, data['fault'])
  if (name === 'PASSWORD_WEAK') return known(texts.passwords, firstOf(data['faults']))
  if (name === 'SMTP_FAILED' || name === 'MAIL_ACCOUNT_INVALID') return known(texts.smtpReasons, data['reason'])
  if (name === 'LICENCE_INVALID') return known(texts.licences, data['reason'])
  if (name === 'BRANDING_IMAGE_INVALID') return known(texts.images, data['reason'])
  if (name === 'QUOTA_EXCEEDED' && isGroup(data['groupId'])) return texts.groupFull
  return undefined
}

function isGroup(groupId: unknown): boolean {
  return typeof groupId === 'number' && groupId > 0
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

function known(texts: Readonly<Record<string, string>>, reason: unknown): string | undefined {
  return typeof reason === 'string' && Object.hasOwn(texts, reason) ? texts[reason] : undefined
}

/** @returns undefined when a placeholder has no number to fill it */
function detailedText(template: string | undefined, data: ErrorData): string | undefined {
  if (template === undefined) return undefined
  const values = { ...data, lockMinutes: minutes(data['lockPeriod']), minutesLeft: minutes(data['retryAfterSeconds']) }
  const isComplete = placeholders(template).every((name) => Number.isFinite(values[name as keyof typeof values]))
  return isComplete ? filledText(template, values as TextValues) : undefined
}

/** The wire has seconds; the text shows minutes. */
function minutes(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? Math.ceil(seconds / 60) : undefined
}
