import type { OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isFileJob, startTransfer, type FileJobsDeps, type Made } from '../files/index.ts'
import type { Recycle } from '../recycle/index.ts'

export interface UndoDeps extends FileJobsDeps {
  readonly recycle: Pick<Recycle, 'remove'>
}

/**
 * Takes back what a copy or move of the caller made, with the rights that the caller has now. It acts on what was made and never on
 * a name alone: what was changed since, or took the name since, stays, and the new job says so.
 * @throws AppError JOB_NOT_FOUND also for jobs of others and for what cannot be taken back; what removing and moving throw
 */
export async function startUndo(deps: UndoDeps, ctx: UserCtx, jobId: string): Promise<OperationReply<'undo'>> {
  const job = await deps.queue.byId(jobId)
  const isTransfer = job !== undefined && isFileJob(job) && (job.kind === 'copy' || job.kind === 'move')
  if (!isTransfer || job.ownerId !== ctx.principal.id) throw new AppError('JOB_NOT_FOUND')
  const { made = [] } = job.progress
  const [first] = made
  if (first === undefined || job.state !== 'completed') throw new AppError('JOB_NOT_FOUND')
  const { spaceId, groupId, targetGroupId = groupId } = job.payload
  const there = { spaceId, groupId: targetGroupId, paths: made.map(({ path }) => path) }
  if (job.kind === 'copy') {
    const { job: removal } = await deps.recycle.remove(ctx, { ...there, made })
    return { job: removal }
  }
  const request = {
    ...there,
    target: folderOf(first),
    targetGroupId: groupId,
    conflict: 'fail',
    back: made.map(asBack),
  } as const
  return startTransfer(deps, ctx, { kind: 'move', request })
}

function folderOf({ from }: Made): string {
  return from.slice(0, from.lastIndexOf('/')) || '/'
}

function asBack({ from, seen, versionId }: Made) {
  return { name: from.slice(from.lastIndexOf('/') + 1), seen, versionId }
}
