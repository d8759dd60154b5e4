import { port } from '../input-codes.ts'
import { z } from 'zod'
import { isEmail } from '../field-rules.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { MAIL_LANGUAGE } from './mail-providers.ts'

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
  /** False until it was saved once; until then the fields hold the defaults of the form. */
  configured: z.boolean(),
})
export type MailSenderInfo = z.infer<typeof mailSenderInfo>

/**
 * A sender to save or to test. An empty password keeps the stored one, as long as account, host, port and encryption stay
 * the same: a stored password is never sent to another server.
 */
export const mailSenderInput = z.strictObject({
  emailFromName: line.min(1),
  emailType: z.int().min(0).max(9),
  emailAccount: line.refine(isEmail, 'must be an e-mail address'),
  /** base64 of UTF-8 */
  emailPassword: z.string().max(1024),
  emailSmtpHost: line.min(1),
  emailSmtpPort: port,
  emailEncryptType: z.int().min(0).max(2),
})
export type MailSenderInput = z.infer<typeof mailSenderInput>

/** Where a test mail failed; `data.stage` of SMTP_FAILED and MAIL_ACCOUNT_INVALID. */
export const SMTP_STAGES = ['address', 'connect', 'tls', 'sign-in', 'sender', 'recipient', 'message'] as const
export type SmtpStage = (typeof SMTP_STAGES)[number]

/** Why it failed; `data.reason` of SMTP_FAILED and MAIL_ACCOUNT_INVALID. */
export const SMTP_REASONS = [
  'unknown-host',
  'not-allowed',
  'refused',
  'timeout',
  'disconnected',
  'no-tls',
  'certificate',
  'credentials',
  'no-sign-in',
  'sender-refused',
  'recipient-refused',
  'message-refused',
  'password-unreadable',
] as const
export type SmtpReason = (typeof SMTP_REASONS)[number]

export const testedMail = z.object({
  recipient: z.string(),
  /** The last reply of the mail server, unchanged. */
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

const adminAccess = { right: 'mail.edit' } as const
const systemSender = mailSenderInfo.extend({
  /** The configuration of the process names a sender, which goes before the stored one. */
  isConfigured: z.boolean(),
})
export type SystemMailSender = z.infer<typeof systemSender>

/** The sender of the system: codes, notices, and the links of everybody without a sender of their own. */
export const adminMailRoutes = {
  info: defineRoute({
    method: 'GET',
    path: '/api/admin/mail/sender',
    summary: 'The mail sender of the system, without its password',
    access: adminAccess,
    reply: systemSender,
    errors: [],
  }),
  update: defineRoute({
    method: 'POST',
    path: '/api/admin/mail/sender',
    summary: 'Save the mail sender of the system',
    access: adminAccess,
    log: 'mail.edit',
    body: mailSenderInput,
    reply: z.object({}),
    errors: ['VALUE_REQUIRED', 'PARAMETER_INVALID'],
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/admin/mail/test',
    summary: 'Send a test mail with these settings, which need not be saved, to the own address or else to the sender',
    access: adminAccess,
    log: 'mail.test',
    body: mailSenderInput,
    reply: testedMail,
    errors: ['VALUE_REQUIRED', 'PARAMETER_INVALID', 'SMTP_FAILED', 'MAIL_ACCOUNT_INVALID', 'RATE_LIMITED'],
  }),
}
