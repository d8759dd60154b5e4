import type { Quotas } from '../../quotas/index.ts'
import type { UserCtx } from '../../../kernel/context.ts'
import { originOf, parseOrigin, type Origin } from '../../file-events/index.ts'
import type { Actor } from '../steps/index.ts'
import type { JobPrincipal } from '../../../kernel/principal.ts'
import type { Db } from '../../../kernel/db/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AnyJob, Job, JobKind, NewJob, Queue } from '../../../kernel/queue/index.ts'
import type { FilesDeps } from '../files.deps.ts'

/** What long file jobs need besides the files. */
export interface FileJobsDeps {
  readonly files: FilesDeps
  readonly db: Db
  readonly queue: Pick<Queue, 'add' | 'byId' | 'settled' | 'cancel'>
  readonly quotas: Quotas
  /** The account as it is when the job runs: rights may have changed since it was asked for. */
  readonly principalOf: (job: Pick<Job, 'id' | 'ownerId'>) => Promise<JobPrincipal | undefined>
}

/** What a job keeps of whoever asked for it. */
export interface JobLimits {
  /** Who asked for it; the job works in that name. */
  readonly origin?: Origin
  /** Permission bits that the job stays within: an API token's job never does more than the token might. */
  readonly permission?: number
}

export function limitsOf(ctx: Pick<UserCtx, 'principal' | 'door'>): JobLimits {
  const origin = originOf(ctx)
  const { cap } = ctx.principal.account
  return cap === undefined ? { origin } : { origin, permission: cap }
}

/** A job that is done by then is answered within the call; others go on behind it. */
const WITHIN_CALL_MS = 1_500

/** Queues a job. @returns it, ended if that took no longer than a call may wait */
export async function startFileJob<Kind extends JobKind>(
  { queue }: Pick<FileJobsDeps, 'queue'>,
  job: NewJob<Kind>,
): Promise<AnyJob> {
  const { id } = await queue.add(job)
  return queue.settled(id, WITHIN_CALL_MS)
}

export function actorOfJob({ ownerId: userId, payload }: Pick<Job<JobLimits>, 'ownerId' | 'payload'>): Actor {
  return { userId, origin: payload.origin ?? parseOrigin('', userId) }
}

/**
 * The job with the rights its owner has now, for its next step.
 * @throws AppError TOKEN_INVALID when the owner is locked or removed
 */
export async function requireJobPrincipal(
  { principalOf }: Pick<FileJobsDeps, 'principalOf'>,
  job: Job<JobLimits>,
): Promise<JobPrincipal> {
  const principal = await principalOf(job)
  if (principal === undefined) throw new AppError('TOKEN_INVALID')
  const { permission } = job.payload
  if (permission === undefined) return principal
  const { account } = principal
  return { ...principal, account: { ...account, permission: account.permission & permission, cap: permission } }
}
