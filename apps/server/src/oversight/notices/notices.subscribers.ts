import type { Clock } from '@godwit/base'
import { MAIL_JOB, SYSTEM, type MailProgress } from '../../foundation/mail/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Outbox } from '../../kernel/events/index.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import type { Notices } from './notices.service.ts'

export interface NoticeSources {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly queue: Queue
  readonly usageOf: (userId: string) => Promise<{ readonly usedBytes: number; readonly quotaBytes: number }>
}

/** From this part of the space on it is nearly full. */
const NEARLY_FULL = 0.9
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
/** Many files may come in a second; their account is looked at once. */
const LOOK_AFTER_MS = 1_000
const PROGRAM_MAX = 120

/**
 * Turns events into notices for those whom they concern.
 * @returns a function that stops looking
 */
export function subscribeNotices(notices: Notices, sources: NoticeSources): () => void {
  const { outbox } = sources
  outbox.on('sign-in.new-address', async ({ signInId, userId, address, program }) => {
    const facts = { address: oneLine(address), program: oneLine(program).slice(0, PROGRAM_MAX) }
    await notices.tell({ userId, kind: 'new-address', facts, eventKey: `sign-in:${signInId}` })
  })
  outbox.on('account.password-changed', ({ userId, at }) =>
    notices.tell({ userId, kind: 'password-changed', facts: {}, eventKey: `password:${userId}:${at}` }),
  )
  outbox.on('account.email-changed', ({ userId, email, at }) =>
    notices.tell({ userId, kind: 'email-changed', facts: { email }, eventKey: `email:${userId}:${at}` }),
  )
  outbox.on('job.failed', ({ jobId, kind, ownerId }) =>
    kind === MAIL_JOB
      ? tellOfMail(notices, sources, { jobId, ownerId })
      : notices.tell({ userId: ownerId, kind: 'job-failed', facts: { job: kind }, eventKey: `job:${jobId}` }),
  )
  const looks = lookLater(sources, (userId) => tellOfQuota(notices, sources, userId))
  outbox.on('file.committed', ({ userId }) => Promise.resolve(looks.add(userId)))
  return looks.stop
}

/** A sender of one's own tells its owner, the system's its administrators; at most once an hour, for a dead server fails many mails. */
async function tellOfMail(
  notices: Notices,
  { db, clock, queue }: NoticeSources,
  { jobId, ownerId }: { readonly jobId: string; readonly ownerId: string },
): Promise<void> {
  const progress = (await queue.byId(jobId))?.progress as MailProgress | undefined
  if (progress === undefined || progress.recipient === '') return
  const isSystem = ownerId === SYSTEM
  const readers = isSystem ? await administrators(db) : [ownerId]
  const facts = { recipient: oneLine(progress.recipient), reason: progress.reason ?? '' }
  const hour = Math.floor(clock.now() / HOUR_MS)
  for (const userId of readers) {
    await notices.tell({ userId, kind: 'mail-failed', facts, eventKey: `mail:${userId}:${facts.reason}:${hour}` })
  }
}

async function administrators(db: Db): Promise<string[]> {
  return (await usersStore.list(db)).filter((user) => user.is_admin === 1).map(({ id }) => id)
}

/** Once a week while it stays so, and at once after the limit was changed. */
async function tellOfQuota(notices: Notices, { clock, usageOf }: NoticeSources, userId: string): Promise<void> {
  const { usedBytes, quotaBytes } = await usageOf(userId)
  if (quotaBytes === 0 || usedBytes < quotaBytes * NEARLY_FULL) return
  const week = Math.floor(clock.now() / WEEK_MS)
  const eventKey = `quota:${userId}:${quotaBytes}:${week}`
  await notices.tell({ userId, kind: 'quota-nearly-full', facts: { usedBytes, quotaBytes }, eventKey })
}

/** Gathers accounts and looks at each once. What a crash forgets is looked at after the next file. */
function lookLater({ log }: Pick<NoticeSources, 'log'>, look: (userId: string) => Promise<void>) {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const lookAtAll = async (): Promise<void> => {
    timer = undefined
    const userIds = [...waiting]
    waiting.clear()
    for (const userId of userIds) await look(userId)
  }
  return {
    add(userId: string): void {
      waiting.add(userId)
      timer ??= setTimeout(() => {
        lookAtAll().catch((thrown: unknown) => log.error({ err: thrown }, 'looking at quotas failed'))
      }, LOOK_AFTER_MS)
    },
    stop: (): void => clearTimeout(timer),
  }
}
