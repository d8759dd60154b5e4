import { z } from 'zod'
import { isEmail } from '../field-rules.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'

/** SMTP presets (document 1, sections 3 and 5). */
export const MAIL_ENCRYPTION = { none: 0, ssl: 1, starttls: 2 } as const
export type MailEncryption = (typeof MAIL_ENCRYPTION)[keyof typeof MAIL_ENCRYPTION]

export interface MailProvider {
  /** `emailType` on the wire. */
  readonly wire: number
  readonly label: string
  /** Suggested server; empty when the person must name it. */
  readonly host: string
  readonly port: number
  readonly encryption: MailEncryption
  /** What may be chosen. */
  readonly encryptions: readonly MailEncryption[]
}

const { none, ssl, starttls } = MAIL_ENCRYPTION
const SSL_ONLY = { port: 465, encryption: ssl, encryptions: [ssl] } as const
const STARTTLS_ONLY = { port: 587, encryption: starttls, encryptions: [starttls] } as const
const ANY = { port: 465, encryption: ssl, encryptions: [ssl, starttls, none] } as const

export const MAIL_PROVIDERS = {
  gmail: { wire: 0, label: 'Gmail', host: 'smtp.gmail.com', ...SSL_ONLY },
  aol: { wire: 1, label: 'AOL', host: 'smtp.aol.com', ...SSL_ONLY },
  icloud: { wire: 2, label: 'iCloud', host: 'smtp.mail.me.com', ...STARTTLS_ONLY },
  msn: { wire: 3, label: 'MSN', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  microsoft365: { wire: 4, label: 'Microsoft365', host: 'smtp.office365.com', ...STARTTLS_ONLY },
  outlook: { wire: 5, label: 'Outlook', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  hotmail: { wire: 6, label: 'Hotmail', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  live: { wire: 7, label: 'Live', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  yahoo: { wire: 8, label: 'Yahoo', host: 'smtp.mail.yahoo.com', ...ANY },
  other: { wire: 9, label: 'Other', host: '', ...ANY },
} as const satisfies Readonly<Record<string, MailProvider>>

export type MailProviderName = keyof typeof MAIL_PROVIDERS
export const DEFAULT_MAIL_PROVIDER: MailProviderName = 'other'

/** Language of an e-mail on the wire (`emailLanguage`, `language`). */
export const MAIL_LANGUAGE = { 'zh-CN': 0, 'en-US': 1 } as const

/** Name of the provider with this `emailType`. */
export function mailProviderByWire(wire: number): MailProviderName | undefined {
  return (Object.keys(MAIL_PROVIDERS) as MailProviderName[]).find((name) => MAIL_PROVIDERS[name].wire === wire)
}

export const mailLanguage = z.union([z.literal(MAIL_LANGUAGE['zh-CN']), z.literal(MAIL_LANGUAGE['en-US'])])

const line = z.string().max(LIMITS.textInputMax)

/** A sender as a page shows it. The password never leaves the server: `emailPassword` is always empty. */
export const mailSenderInfo = z.object({
  emailFromName: z.string(),
  /** `wire` of {@link MAIL_PROVIDERS}. */
  emailType: z.int(),
  emailAccount: z.string(),
  emailPassword: z.literal(''),
  /** Whether a password is stored. */
  emailPasswordSet: z.boolean(),
  emailSmtpHost: z.string(),
  emailSmtpPort: z.int(),
  emailEncryptType: z.int(),
  /** False until it was saved once; the fields then hold the defaults of a form. */
  configured: z.boolean(),
})
export type MailSenderInfo = z.infer<typeof mailSenderInfo>

/**
 * A sender to save or to test. An empty password keeps the stored one, as long as account, host, port and encryption stay
 * what they are: a stored password is never sent to another server.
 */
export const mailSenderInput = z.strictObject({
  emailFromName: line.min(1),
  emailType: z.int().min(0).max(9),
  emailAccount: line.refine(isEmail, 'must be an e-mail address'),
  /** base64 of UTF-8 */
  emailPassword: z.string().max(1024),
  emailSmtpHost: line.min(1),
  emailSmtpPort: z.int().min(1).max(65_535),
  emailEncryptType: z.int().min(0).max(2),
})
export type MailSenderInput = z.infer<typeof mailSenderInput>

/** Where a test mail failed; `data.stage` of SMTP_FAILED and MAIL_ACCOUNT_INVALID. */
export const SMTP_STAGES = ['address', 'connect', 'tls', 'sign-in', 'sender', 'recipient', 'message'] as const
export type SmtpStage = (typeof SMTP_STAGES)[number]

const testedMail = z.object({
  recipient: z.string(),
  /** The last answer of the mail server, as it came. */
  serverAnswer: z.string(),
  durationMs: z.int(),
})
export type TestedMail = z.infer<typeof testedMail>

const testErrors = ['VALUE_REQUIRED', 'SMTP_FAILED', 'MAIL_ACCOUNT_INVALID', 'EMAIL_MISSING', 'RATE_LIMITED'] as const

/** The account's own sender, and the system's. */
export const mailRoutes = {
  ownInfo: defineRoute({
    method: 'GET',
    path: '/api/user/smtp/info',
    summary: 'The account’s own mail sender, without its password',
    access: 'session',
    reply: mailSenderInfo,
    errors: ['PERMISSION_DENIED'],
  }),
  ownUpdate: defineRoute({
    method: 'POST',
    path: '/api/user/smtp/update',
    summary: 'Save the account’s own mail sender',
    access: 'session',
    body: mailSenderInput,
    reply: z.object({}),
    errors: ['PERMISSION_DENIED', 'VALUE_REQUIRED', 'PARAMETER_INVALID'],
  }),
  ownTest: defineRoute({
    method: 'POST',
    path: '/api/user/smtp/test',
    summary: 'Send a test mail to the own e-mail address with these settings, which need not be saved',
    access: 'session',
    body: mailSenderInput,
    reply: testedMail,
    errors: [...testErrors, 'PERMISSION_DENIED'],
  }),
}
