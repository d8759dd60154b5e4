import type { UserCtx } from '../../kernel/context.ts'
import type { Job } from '../../kernel/queue/index.ts'
import { actorOfJob, requireJobPrincipal, type FileJobsDeps, type JobLimits } from '../files/index.ts'
import type { Intake } from '../intake/index.ts'

export interface ArchivesDeps extends FileJobsDeps {
  /** What a job writes goes through the one sink of bytes: rights, types, quota and events are those of an upload. */
  readonly intake: Intake
}

/** Names the uploads of a job, so that its next run finds what the last one left. */
export function taskOf({ id }: Pick<Job, 'id'>): string {
  return `archive ${id}`
}

/**
 * The job as a caller, with the rights that its owner has now.
 * @throws AppError TOKEN_INVALID when the owner is locked or removed
 */
export async function jobCtx(deps: ArchivesDeps, job: Job<JobLimits>, signal: AbortSignal): Promise<UserCtx> {
  return {
    principal: await requireJobPrincipal(deps, job),
    door: actorOfJob(job).origin.door,
    requestId: job.id,
    locale: 'en-US',
    address: '',
    userAgent: '',
    origin: undefined,
    bearer: undefined,
    signal,
  }
}
