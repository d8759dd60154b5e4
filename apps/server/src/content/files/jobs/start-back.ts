import type { OperationReply } from '@godwit/contract'
import { storageError } from '../../../foundation/storages/index.ts'
import type { UserCtx } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { find, placeOf, requireEntry, within, type PlaceIds } from '../../access/index.ts'
import { limitsOf, startFileJob, type FileJobsDeps } from './job-deps.ts'
import { FAILURES_MAX, NO_PROGRESS, presentJob, type FileProgress } from './job-views.ts'
import { isAcross, needsOf, requireMovable, targetOf, type Back, type TransferRequest } from './start-transfer.ts'

interface BackRequest extends PlaceIds {
  readonly targetGroupId: number | undefined
  /** Where the entries are now, and what each of them was. */
  readonly paths: readonly string[]
  readonly back: ReadonlyArray<Back & { readonly folder: string }>
  readonly remade: readonly string[]
  readonly remadeFrom: string
}

/**
 * Starts to take an earlier move back. What cannot go back is left and reported with the job, the others go on.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, PERMISSION_DENIED when nothing can go back
 */
export async function startBack(
  deps: FileJobsDeps,
  ctx: UserCtx,
  { back: all, paths, ...request }: BackRequest,
): Promise<OperationReply<'move'>> {
  const back: Array<BackRequest['back'][number]> = []
  const going: string[] = []
  const failures: Array<FileProgress['failures'][number]> = []
  let first: AppError | undefined
  for (const [at, one] of all.entries()) {
    const path = paths[at] ?? ''
    try {
      await requireWay(deps, ctx, { request, path, back: one })
      going.push(path)
      back.push(one)
    } catch (thrown) {
      const error = storageError(thrown)
      if (!(error instanceof AppError) || error.status >= 500) throw error
      first ??= error
      failures.push({ path, code: error.code })
    }
  }
  if (going.length === 0 && first !== undefined) throw first
  const seen = back.map((one) => one.seen)
  const target = back[0]?.folder ?? '/'
  const payload = { ...request, ...limitsOf(ctx), paths: going, target, conflict: 'fail', back, seen, done: 0 } as const
  const progress = { ...NO_PROGRESS, failures: failures.slice(0, FAILURES_MAX) }
  const job = await startFileJob(deps, { kind: 'move', ownerId: ctx.principal.id, payload, progress })
  return { job: presentJob(job, ctx.locale) }
}

interface Way {
  readonly request: Omit<BackRequest, 'back' | 'paths'>
  readonly path: string
  readonly back: BackRequest['back'][number]
}

/** Whether an entry is there and its place is free, with the rights for both, also for what comes back where it is now. */
async function requireWay(
  { files: { access } }: FileJobsDeps,
  ctx: UserCtx,
  { request, path, back: { folder: target, name, versionId } }: Way,
): Promise<void> {
  const transfer: TransferRequest = { ...request, paths: [path], target, conflict: 'fail' }
  const needs = needsOf('move', transfer, isAcross(ctx.principal, transfer, path))
  const folder = await access.open(ctx, targetOf(transfer), target, needs.here.file)
  const { location, entry } = await requireEntry(await access.open(ctx, placeOf(request), path, needs.source))
  if (versionId !== '') await access.open(ctx, placeOf(request), path, needs.here.file)
  requireMovable(location, folder)
  const found = await find(folder)
  // A folder that is made again is empty.
  const isRemade = found === undefined && request.remade.includes(target)
  if (isRemade || entry.kind === 'folder') await access.open(ctx, targetOf(transfer), target, needs.here.folder)
  if (isRemade) return
  if (found === undefined) throw new AppError('PATH_NOT_FOUND')
  if (found.entry.kind !== 'folder') throw new AppError('PATH_IS_FILE')
  if ((await find(within(found.location, name))) !== undefined) throw new AppError('PATH_EXISTS', { name })
}
