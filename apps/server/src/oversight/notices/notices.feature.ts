import type { SystemNotice } from '@godwit/contract'
import type { MailSystem } from '../../foundation/mail/index.ts'
import type { Quotas } from '../../content/quotas/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { bulkMailJobs } from '../../foundation/mail/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push } from '../../kernel/push.ts'
import { announcementJobs } from './announcements.jobs.ts'
import { announcementEndpoints } from './announcements.routes.ts'
import { beginDue } from './announcements.service.ts'
import { isNoticeOn, NOTICE_SETTINGS } from './notices.settings.ts'
import { noticeEndpoints, noticeTypesEndpoint } from './notices.routes.ts'
import { createNotices, type Notices } from './notices.service.ts'
import { createNoticeSubscribers, QUOTA_CHECK_MS } from './notices.subscribers.ts'

const HOUR_MS = 3_600_000
/** How late a planned notice may begin. */
const DUE_MS = 5_000

export interface NoticesFeatureDeps {
  readonly mail: MailSystem
  readonly quotas: Quotas
  readonly settings: Settings
}

export function noticesFeature(kernel: Kernel, { mail, quotas, settings }: NoticesFeatureDeps): FeatureWith<Notices> {
  const isOn = (kind: SystemNotice) => isNoticeOn(settings, kind)
  const announcing = { ...kernel, mailer: mail.mailer, isOn }
  const notices = createNotices(announcing)
  const subscribers = createNoticeSubscribers(notices, { ...kernel, usageOf: quotas.usageOf })
  return defineFeature({
    name: 'notices',
    api: notices,
    settings: NOTICE_SETTINGS,
    endpoints: [...noticeEndpoints(notices), ...announcementEndpoints(announcing), noticeTypesEndpoint(isOn)],
    jobs: { ...announcementJobs(announcing), ...bulkMailJobs(mail.deps) },
    // A notice to everybody is long work: neither a copy nor a sign-in code waits behind it.
    jobLane: 'announcements',
    on: subscribers.on,
    push: [
      push('notice.changed', {
        signal: 'notice.changed',
        to: ({ userId }) => userId,
        message: ({ unread }) => ({ unread }),
        atSignIn: async (userId) => ({ userId, unread: await notices.unread(userId) }),
      }),
    ],
    every: [
      { name: 'quotas', everyMs: QUOTA_CHECK_MS, work: () => subscribers.checkQuotas() },
      { name: 'announcements', everyMs: DUE_MS, onOneNode: true, work: () => beginDue(announcing) },
      { name: 'purge', everyMs: HOUR_MS, onOneNode: true, work: () => notices.purge() },
    ],
  })
}
