import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { MAIL_KINDS } from './mail-kinds.ts'
import { testedMail } from './mail.ts'

const access = { right: 'mail.edit' } as const
const locale = z.enum(['zh-CN', 'en-US'])
const words = z.object({ 'zh-CN': z.string(), 'en-US': z.string() })

const mail = z.object({
  template: z.enum(MAIL_KINDS),
  name: words,
  /** Names that may stand between braces in its subject and text. */
  placeholders: z.array(z.string()),
  /** Those without which its text is refused. */
  needed: z.array(z.string()),
})
export type MailKindView = z.infer<typeof mail>

/** Words that need not be saved. */
const input = z.strictObject({
  template: z.enum(MAIL_KINDS),
  locale,
  subject: z.string().max(1000),
  body: z.string().max(10_000),
})
export type MailWordsInput = z.infer<typeof input>

/** A mail as its reader would have it. */
export const drawnMail = z.object({ subject: z.string(), text: z.string(), html: z.string(), htmlDark: z.string() })

export const adminMailTextRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/mail/templates',
    summary:
      'Every kind of mail, and what may stand in its words; the words are settings, see /api/admin/mail/settings',
    access,
    reply: z.object({ mails: z.array(mail) }),
    errors: [],
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/api/admin/mail/templates/preview',
    summary: 'A mail with these words, as HTML in light and dark and as plain text; changes nothing',
    access,
    body: input,
    reply: drawnMail,
    errors: ['PARAMETER_INVALID'],
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/admin/mail/templates/test',
    summary: 'Send a mail with these words to the own address',
    access,
    log: 'mail.test-words',
    body: input,
    reply: testedMail,
    errors: [
      'PARAMETER_INVALID',
      'EMAIL_MISSING',
      'SYSTEM_MAIL_NOT_CONFIGURED',
      'SMTP_FAILED',
      'MAIL_ACCOUNT_INVALID',
      'RATE_LIMITED',
    ],
  }),
}
