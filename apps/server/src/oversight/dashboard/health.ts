import type { HealthItem } from '@godwit/contract'
import { errorText, type Locale } from '@godwit/i18n'
import { toAppError } from '../../kernel/errors.ts'
import type { ErrorName } from '@godwit/contract'
import type { Clock } from '@godwit/base'
import type { Db } from '../../kernel/db/index.ts'
import type { Check } from '../../kernel/feature.ts'
import { countFailedJobs } from '../../kernel/queue/index.ts'
import { MAIL_JOB, type Mailer } from '../../foundation/mail/index.ts'

export interface HealthDeps {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  readonly checks: () => readonly Check[]
}

/** What was found, before it has a language. */
export type Health = Omit<HealthItem, 'message' | 'error'> & { readonly error: ErrorName | '' }

/** Mails that failed within this time make the mail unwell. */
const MAIL_PERIOD_MS = 3_600_000

/** What the server needs to do its work, and the mail. */
export async function examineHealth(deps: HealthDeps): Promise<readonly Health[]> {
  const checked = await Promise.all(deps.checks().map(examineCheck))
  return [...checked, await examineMail(deps)]
}

async function examineCheck({ name, run }: Check): Promise<Health> {
  try {
    await run()
    return { name, state: 'ok', error: '' }
  } catch (thrown) {
    return { name, state: 'failed', error: toAppError(thrown).code }
  }
}

async function examineMail({ db, clock, mailer }: HealthDeps): Promise<Health> {
  if (!(await mailer.isConfigured())) return { name: 'mail', state: 'off', error: '' }
  const failed = await countFailedJobs(db, { kind: MAIL_JOB, since: clock.now() - MAIL_PERIOD_MS })
  return failed > 0 ? { name: 'mail', state: 'failed', error: 'SMTP_FAILED' } : { name: 'mail', state: 'ok', error: '' }
}

export function presentHealth(health: Health, locale: Locale): HealthItem {
  return { ...health, message: health.error === '' ? '' : errorText(locale, health.error) }
}
