import type { OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isFileJob, startBack, type FileJobsDeps, type Made } from '../files/index.ts'
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
  const { made, emptied = [] } = job.progress
  if (made === undefined || job.state !== 'completed') throw new AppError('JOB_NOT_FOUND')
  // What was made last goes first: it may be in what was made before, or in its place.
  const undone = made.toReversed()
  const { spaceId, groupId, targetGroupId = groupId } = job.payload
  const there = { spaceId, groupId: targetGroupId, paths: undone.map(({ path }) => path) }
  if (job.kind === 'copy') {
    const { job: removal } = await deps.recycle.remove(ctx, { ...there, made: undone })
    return { job: removal }
  }
  // The last one that was emptied is the one that the others were in.
  const remade = emptied.toReversed()
  const { target: remadeFrom } = job.payload
  return startBack(deps, ctx, { ...there, targetGroupId: groupId, back: undone.map(asBack), remade, remadeFrom })
}

function asBack({ from, path: _path, ...made }: Made) {
  const slash = from.lastIndexOf('/')
  return { folder: from.slice(0, slash) || '/', name: from.slice(slash + 1), ...made }
}
