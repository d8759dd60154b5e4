import type { Clock } from '@godwit/base'
import { isMail, isMailJob, SYSTEM } from '../../foundation/mail/index.ts'
import { bucketOf, holderOf } from '../../content/quotas/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import type { Subscription } from '../../kernel/events/index.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import { linkNotices } from './notices.links.ts'
import { administratorsOf, siteNotices } from './notices.site.ts'
import type { Notices } from './notices.service.ts'

export interface NoticeSources {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Pick<Queue, 'byId'>
  /** Of an account, or of a group by its bucket. */
  readonly usageOf: (bucket: string) => Promise<{ readonly usedBytes: number; readonly quotaBytes: number }>
}

/** Percent of the space that a notice is due at, the highest first. */
const QUOTA_STEPS = [95, 90, 80] as const
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
/** Many files may come in a second; their account's quota is checked once. */
export const QUOTA_CHECK_MS = 1_000
const PROGRAM_MAX = 120

export interface NoticeSubscribers {
  readonly on: Subscriptions
  /** Notifies those whose files or groups changed since the last time, where the space is nearly full. */
  checkQuotas(): Promise<void>
}

/** Turns events into notices for those whom they concern. */
export function createNoticeSubscribers(notices: Notices, sources: NoticeSources): NoticeSubscribers {
  // What a crash forgets is checked after the next file.
  const changed = new Set<string>()
  const quotaNearlyFull: Subscription<'file.committed' | 'file.replaced' | 'file.copied'> = {
    subscriber: 'notices.quota-nearly-full',
    handle: (event) => Promise.resolve(void changed.add(bucketOf(event))),
  }
  const on: Subscriptions = {
    ...linkNotices(notices, sources.db),
    ...siteNotices(notices, sources.db),
    'sign-in.new-address': {
      subscriber: 'notices.new-address',
      async handle({ signInId, userId, address, program }) {
        const facts = { address: oneLine(address), program: oneLine(program).slice(0, PROGRAM_MAX) }
        await notices.notify({ userId, kind: 'new-address', facts, eventKey: `sign-in:${signInId}` })
      },
    },
    'account.password-changed': {
      subscriber: 'notices.password-changed',
      handle: ({ userId, at }) =>
        notices.notify({ userId, kind: 'password-changed', facts: {}, eventKey: `password:${userId}:${at}` }),
    },
    'account.access-changed': {
      subscriber: 'notices.access-changed',
      handle: ({ userId, what, name, at }) => {
        const facts = { name: oneLine(name) }
        return notices.notify({ userId, kind: what, facts, eventKey: `access:${what}:${userId}:${at}` })
      },
    },
    'account.email-changed': {
      subscriber: 'notices.email-changed',
      handle: ({ userId, email, at }) =>
        notices.notify({ userId, kind: 'email-changed', facts: { email }, eventKey: `email:${userId}:${at}` }),
    },
    'group.member-added': {
      subscriber: 'notices.group-added',
      handle: ({ userId, groupId, groupName, at }) => {
        const facts = { group: oneLine(groupName) }
        return notices.notify({ userId, kind: 'group-added', facts, eventKey: `group:${groupId}:${userId}:${at}` })
      },
    },
    'job.failed': {
      subscriber: 'notices.job-failed',
      handle: ({ jobId, kind, ownerId }) =>
        isMailJob(kind)
          ? notifyOfMail(notices, sources, { jobId, ownerId })
          : notices.notify({ userId: ownerId, kind: 'job-failed', facts: { job: kind }, eventKey: `job:${jobId}` }),
    },
    'file.committed': quotaNearlyFull,
    'file.replaced': quotaNearlyFull,
    'file.copied': quotaNearlyFull,
  }
  return {
    on,
    async checkQuotas() {
      const buckets = [...changed]
      changed.clear()
      for (const bucket of buckets) await notifyOfQuota(notices, sources, bucket)
    },
  }
}

/** A sender of one's own notifies its owner, the system's its administrators; at most once an hour, for a dead server fails many mails. */
async function notifyOfMail(
  notices: Notices,
  { db, clock, queue }: NoticeSources,
  { jobId, ownerId }: { readonly jobId: string; readonly ownerId: string },
): Promise<void> {
  const job = await queue.byId(jobId)
  if (job === undefined || !isMail(job) || job.progress.recipient === '') return
  const { progress } = job
  const isSystem = ownerId === SYSTEM
  const readers = isSystem ? await administratorsOf(db) : [ownerId]
  const facts = { recipient: oneLine(progress.recipient), reason: progress.reason ?? '' }
  const hour = Math.floor(clock.now() / HOUR_MS)
  for (const userId of readers) {
    await notices.notify({ userId, kind: 'mail-failed', facts, eventKey: `mail:${userId}:${facts.reason}:${hour}` })
  }
}

/** For each step once a week while it stays so, and at once after the limit was changed. */
async function notifyOfQuota(notices: Notices, { db, clock, usageOf }: NoticeSources, bucket: string): Promise<void> {
  const { usedBytes, quotaBytes } = await usageOf(bucket)
  const step = quotaBytes === 0 ? undefined : QUOTA_STEPS.find((percent) => usedBytes * 100 >= quotaBytes * percent)
  if (step === undefined) return
  const week = Math.floor(clock.now() / WEEK_MS)
  const { userId, groupId } = holderOf(bucket)
  const group = await groupsStore.byId(db, groupId)
  if (group === undefined) {
    const eventKey = `quota:${userId}:${quotaBytes}:${step}:${week}`
    return notices.notify({ userId, kind: 'quota-nearly-full', facts: { usedBytes, quotaBytes }, eventKey })
  }
  const facts = { group: oneLine(group.name), usedBytes, quotaBytes }
  for (const reader of await keepersOf(db, groupId)) {
    const eventKey = `quota:${groupId}:${reader}:${quotaBytes}:${step}:${week}`
    await notices.notify({ userId: reader, kind: 'group-quota-nearly-full', facts, eventKey })
  }
}

/** The administrators of a group; all its members while it has none. */
async function keepersOf(db: Db, groupId: number): Promise<readonly string[]> {
  const members = await groupsStore.rightsOf(db, groupId)
  const administrators = members.filter(({ is_admin: isAdmin }) => isAdmin === 1)
  return (administrators.length > 0 ? administrators : members).map(({ user_id: userId }) => userId)
}
