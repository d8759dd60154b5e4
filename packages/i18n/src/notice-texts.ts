import { SMTP_REASONS } from '@godwit/contract'
import { smtpReasonTexts as englishReasons } from './en-us/faults.ts'
import { notices as english, type NoticeKey } from './en-us/notices.ts'
import type { Locale } from './locales.ts'
import { filledText, type TextValues } from './placeholders.ts'
import { smtpReasonTexts as chineseReasons } from './zh-cn/faults.ts'
import { notices as chinese } from './zh-cn/notices.ts'

const TEXTS = {
  'zh-CN': { notices: chinese, reasons: chineseReasons },
  'en-US': { notices: english, reasons: englishReasons },
} as const

/**
 * The kinds of notices with their facts. They are stored without a language; a reader gets them in their own.
 * - job-failed: `job` is the kind of the task
 * - quota-nearly-full, group-quota-nearly-full: `usedBytes`, `quotaBytes`
 * - mail-failed: `reason` is one of the reasons of a mail server
 */
export interface NoticeFacts {
  readonly 'new-address': { readonly address: string; readonly program: string }
  readonly 'password-changed': Readonly<Record<string, never>>
  readonly 'email-changed': { readonly email: string }
  readonly 'group-added': { readonly group: string }
  readonly 'link-shared': { readonly account: string; readonly name: string }
  readonly 'link-reminder': { readonly account: string; readonly name: string }
  /** `expiresAt`: Unix milliseconds */
  readonly 'link-expiring': { readonly name: string; readonly expiresAt: number }
  readonly 'job-failed': { readonly job: string }
  readonly 'group-quota-nearly-full': {
    readonly group: string
    readonly usedBytes: number
    readonly quotaBytes: number
  }
  readonly 'second-factor-on': { readonly name: string }
  readonly 'second-factor-off': { readonly name: string }
  readonly 'passkey-added': { readonly name: string }
  readonly 'token-created': { readonly name: string }
  readonly 'quota-nearly-full': { readonly usedBytes: number; readonly quotaBytes: number }
  readonly 'files-cleaned': { readonly files: number; readonly bytes: number }
  readonly 'hook-disabled': { readonly name: string }
  /** `expiresAt`: Unix milliseconds */
  readonly 'certificate-expiring': { readonly name: string; readonly expiresAt: number }
  readonly 'licence-expiring': { readonly expiresAt: number; readonly days: number }
  readonly 'mail-failed': { readonly recipient: string; readonly reason: string }
}
export type NoticeKind = keyof NoticeFacts

/** Whether this version knows the kind; a newer one may have stored others. */
export function isNoticeKind(kind: string): kind is NoticeKind {
  return Object.hasOwn(english, `${kind}.title`)
}

export interface NoticeTexts {
  readonly title: string
  readonly content: string
}

/** @param facts as they were stored; a newer version of the program may have stored others */
export function noticeTexts(locale: Locale, kind: NoticeKind, facts: TextValues): NoticeTexts {
  const { notices }: { readonly notices: Readonly<Record<NoticeKey, string>> } = TEXTS[locale]
  const values = { ...facts, ...shown(locale, kind, facts) }
  return {
    title: filledText(notices[`${kind}.title`], values),
    content: filledText(notices[`${kind}.content`], values),
  }
}

/** Facts that are names or numbers become words of the language. */
function shown(locale: Locale, kind: NoticeKind, facts: TextValues): TextValues {
  const { notices, reasons } = TEXTS[locale]
  switch (kind) {
    case 'job-failed': {
      const key = `job.${facts['job']}`
      return { job: Object.hasOwn(notices, key) ? notices[key as NoticeKey] : notices['job.other'] }
    }
    case 'group-quota-nearly-full':
    case 'quota-nearly-full': {
      const [used, quota] = [Number(facts['usedBytes']), Number(facts['quotaBytes'])]
      return { used: size(locale, used), quota: size(locale, quota), percent: Math.floor((used * 100) / quota) }
    }
    case 'files-cleaned':
      return { size: size(locale, Number(facts['bytes'])) }
    case 'mail-failed': {
      const reason = SMTP_REASONS.find((known) => known === facts['reason'])
      return { reason: reason === undefined ? '' : reasons[reason] }
    }
    case 'licence-expiring':
    case 'certificate-expiring':
    case 'link-expiring':
      return { date: new Date(Number(facts['expiresAt'])).toISOString().slice(0, 10) }
    case 'new-address':
    case 'password-changed':
    case 'email-changed':
    case 'second-factor-on':
    case 'second-factor-off':
    case 'passkey-added':
    case 'token-created':
    case 'group-added':
    case 'link-shared':
    case 'link-reminder':
    case 'hook-disabled':
      return {}
  }
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

function size(locale: Locale, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(bytes / 1024 ** power)
  return `${number} ${UNITS[power] ?? 'B'}`
}
