import { errorByWire, type JobView } from '@godwit/contract'
import { presentJob } from '../../content/files/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import type { Asked } from './webdav.entries.ts'

/** A job is looked at so often while the client waits; the event of its end comes sooner. */
const LOOK_MS = 30_000

/** Code and path of what a job went past. */
export interface JobFault {
  readonly path: string
  readonly error: AppError
}

/**
 * Waits for a job. Whoever leaves lets it go on.
 * @returns what it went past
 * @throws AppError when the job itself failed
 */
export async function outcomeOf({ queue }: WebdavDeps, { ctx }: Asked, begun: JobView): Promise<JobFault[]> {
  let job = begun
  while (job.state === 'queued' || job.state === 'running') {
    ctx.signal.throwIfAborted()
    job = presentJob(await queue.settled(job.jobId, LOOK_MS), ctx.locale)
  }
  const faults = job.failures.map(({ path, code }) => ({ path, error: new AppError(errorByWire(code) ?? 'INTERNAL') }))
  if (faults.length === 0 && job.state !== 'completed') throw new AppError('INTERNAL')
  return faults
}
