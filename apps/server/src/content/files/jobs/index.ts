import { fileOperations, type OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../../kernel/context.ts'
import { operation, type Operation } from '../../../kernel/endpoint.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { JobHandlers } from '../../../kernel/queue/index.ts'
import type { FileJobsDeps } from './job-deps.ts'
import { isFileJob, presentJob, type FileProgress } from './job-views.ts'
import { startTransfer, type TransferPayload } from './start-transfer.ts'
import { runTransfer } from './transfers.ts'

export {
  actorOfJob,
  limitsOf,
  requireJobPrincipal,
  startFileJob,
  type FileJobsDeps,
  type JobLimits,
} from './job-deps.ts'
export { requireTransferable } from './require-transferable.ts'
export { startTransfer, type TransferRequest } from './start-transfer.ts'
export { JobProgress } from './job-progress.ts'
export { FAILURES_MAX, isFileJob, NO_PROGRESS, presentJob, type FileProgress } from './job-views.ts'
export { numbered, placeEntry, type Carrier } from './place-entry.ts'
export type { Made } from './made.ts'
export { requireVersion, revertFile } from './revert-file.ts'
export { requireSeen, requireTree, seenAs } from './seen.ts'
export { startBack } from './start-back.ts'

declare module '../../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly copy: { readonly payload: TransferPayload; readonly progress: FileProgress }
    readonly move: { readonly payload: TransferPayload; readonly progress: FileProgress }
  }
}

export function fileJobs(deps: FileJobsDeps): JobHandlers {
  return {
    copy: (job, run) => runTransfer(deps, job, run),
    move: (job, run) => runTransfer(deps, job, run),
  }
}

/** Copies and moves, and what one may do with a job. */
export function fileJobsOperations(deps: FileJobsDeps): Operation[] {
  return [
    operation(fileOperations.copy, (ctx, request) => startTransfer(deps, ctx, { kind: 'copy', request })),
    operation(fileOperations.move, (ctx, request) => startTransfer(deps, ctx, { kind: 'move', request })),
    operation(fileOperations.job, (ctx, { jobId }) => jobOf(deps, ctx, jobId)),
    operation(fileOperations.cancel, async (ctx, { jobId }) => {
      await jobOf(deps, ctx, jobId)
      await deps.queue.cancel(jobId)
      return { job: presentJob(await deps.queue.settled(jobId, 1_000), ctx.locale) }
    }),
  ]
}

/** @throws AppError JOB_NOT_FOUND, also for the jobs of others */
async function jobOf(deps: FileJobsDeps, ctx: UserCtx, jobId: string): Promise<OperationReply<'job'>> {
  const job = await deps.queue.byId(jobId)
  if (!job || job.ownerId !== ctx.principal.id || !isFileJob(job)) throw new AppError('JOB_NOT_FOUND')
  return { job: presentJob(job, ctx.locale) }
}
