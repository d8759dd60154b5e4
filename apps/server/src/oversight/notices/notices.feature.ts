import type { MailSystem } from '../../foundation/mail/index.ts'
import type { Quotas } from '../../content/quotas/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push } from '../../kernel/push.ts'
import { noticeEndpoints } from './notices.routes.ts'
import { createNotices } from './notices.service.ts'
import { createNoticeSubscribers, QUOTA_CHECK_MS } from './notices.subscribers.ts'

const HOUR_MS = 3_600_000

export interface NoticesFeatureDeps {
  readonly mail: MailSystem
  readonly quotas: Quotas
}

export function noticesFeature(kernel: Kernel, { mail, quotas }: NoticesFeatureDeps): Feature {
  const notices = createNotices({ ...kernel, mailer: mail.mailer })
  const subscribers = createNoticeSubscribers(notices, { ...kernel, usageOf: quotas.usageOf })
  return defineFeature({
    name: 'notices',
    endpoints: noticeEndpoints(notices),
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
      { name: 'purge', everyMs: HOUR_MS, onOneNode: true, work: () => notices.purge() },
    ],
  })
}
