import { adminMailTextRoutes, type MailWordsInput } from '@godwit/contract'
import { mailName } from '@godwit/i18n/mail-names'
import {
  leadsSomewhere,
  MAIL_TEMPLATES,
  mailPlaceholders,
  mailSample,
  neededPlaceholders,
  type MailTemplate,
} from '@godwit/i18n/mail-texts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { loggedEndpoint, type OperationLogDeps } from '../operation-log/index.ts'
import type { MailContent } from './mail.render.ts'
import type { MailEndpointsDeps } from './mail.routes.ts'
import { MAIL_WORDS_GROUP } from './mail-words.settings.ts'
import { drawMail, type MailerDeps } from './mailer.ts'
import { serverOf, SYSTEM } from './senders.service.ts'

export interface MailWordsDeps extends MailEndpointsDeps, Pick<MailerDeps, 'url' | 'productName' | 'header'> {}

/** Where the page of a sample leads to. */
const SAMPLE_PATH = '/example'

/** The words of mails, for administrators. They are kept as settings of the tab `mail`. */
export function mailWordsEndpoints(deps: MailWordsDeps, log: OperationLogDeps): Endpoint[] {
  const { senders, mailer, tests, accountOf } = deps
  return [
    endpoint(adminMailTextRoutes.list, () => Promise.resolve({ mails: MAIL_TEMPLATES.map(mailOf) })),
    endpoint(adminMailTextRoutes.preview, (_ctx, { body }) => drawMail(deps, sampleOf(body))),
    loggedEndpoint(log, adminMailTextRoutes.test, async (ctx, { body }) => {
      await tests.take(ctx.principal.id)
      const { email } = await accountOf(ctx.principal.id)
      if (email === '') throw new AppError('EMAIL_MISSING')
      const server = await serverOf(senders, SYSTEM)
      if (server === undefined) throw new AppError('SYSTEM_MAIL_NOT_CONFIGURED')
      return mailer.test(server, email, sampleOf(body))
    }),
  ]
}

function mailOf(template: MailTemplate) {
  return {
    template,
    name: { 'zh-CN': mailName('zh-CN', template), 'en-US': mailName('en-US', template) },
    placeholders: [...mailPlaceholders(template)],
    needed: [...neededPlaceholders(template, 'body')],
  }
}

/** A mail with values that stand for real ones. @throws AppError PARAMETER_INVALID naming the setting */
function sampleOf({ template, locale, subject, body }: MailWordsInput): MailContent & {
  readonly path: string
  readonly words: { readonly subject: string; readonly body: string }
} {
  const words = {
    subject: checked({ template, locale }, 'subject', subject),
    body: checked({ template, locale }, 'body', body),
  }
  return { template, locale, values: mailSample(locale), path: leadsSomewhere(template) ? SAMPLE_PATH : '', words }
}

function checked(
  { template, locale }: Pick<MailWordsInput, 'template' | 'locale'>,
  part: 'subject' | 'body',
  text: string,
) {
  const field = `mail.${template}.${part}.${locale === 'zh-CN' ? 'zh' : 'en'}`
  const parsed = MAIL_WORDS_GROUP.specs[field]?.schema.safeParse(text)
  if (parsed?.success === true) return parsed.data
  throw new AppError('PARAMETER_INVALID', { field, rule: parsed?.error.issues[0]?.message ?? '' })
}
