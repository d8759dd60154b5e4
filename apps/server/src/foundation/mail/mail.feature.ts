import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Settings } from '../settings/index.ts'
import { adminMailEndpoints } from './mail.admin.ts'
import { mailEndpoints, type MailEndpointsDeps } from './mail.routes.ts'
import { mailWordsEndpoints } from './mail-words.admin.ts'
import { MAIL_WORDS_GROUP } from './mail-words.settings.ts'
import { mailJobs } from './mailer.ts'
import { openMail, type MailSystem } from './open-mail.ts'

/** Test mails of one account. */
const TESTS = { name: 'mail.tests', calls: 10, periodMs: 60_000 } as const

export interface MailFeatureDeps extends Pick<MailEndpointsDeps, 'accountOf'> {
  readonly settings: Settings
}

export function mailFeature(kernel: Kernel, { settings, accountOf }: MailFeatureDeps): FeatureWith<MailSystem> {
  const mail = openMail(kernel, settings)
  const { url, productName, header } = mail.deps
  const deps = { ...mail, url, productName, header, accountOf, tests: kernel.limits.callLimit(TESTS) }
  return defineFeature({
    name: 'mail',
    api: mail,
    endpoints: [...mailEndpoints(deps), ...adminMailEndpoints(deps, kernel), ...mailWordsEndpoints(deps, kernel)],
    settings: MAIL_WORDS_GROUP,
    jobs: mailJobs(mail.deps),
    // A code for a sign-in must not wait behind a folder that is copied.
    jobLane: 'mail',
  })
}
