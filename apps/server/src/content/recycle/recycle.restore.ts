import type { ConflictPolicy, OperationReply } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Job, Run } from '../../kernel/queue/index.ts'
import {
  find,
  nameOf,
  newWithin,
  placeOf,
  requireFolder,
  within,
  type Found,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import {
  JobProgress,
  limitsOf,
  NO_PROGRESS,
  noteChange,
  noteMove,
  placeEntry,
  presentJob,
  requireJobPrincipal,
  requireNoClash,
  WITHIN_CALL_MS,
  type Carrier,
  type FileProgress,
  type JobLimits,
} from '../files/index.ts'
import { bucketOfItem, withItemLock, type RecycleDeps } from './recycle.deps.ts'
import { requireItems } from './recycle.items.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

interface RestoreRequest extends PlaceIds {
  readonly recycleIds: readonly string[]
  readonly conflict: ConflictPolicy
}

export type RestorePayload = RestoreRequest & JobLimits

/**
 * Puts recycled entries back; folders on the way that are gone come back too.
 * @throws AppError RECYCLE_ITEM_NOT_FOUND, PERMISSION_DENIED
 */
export async function startRestore(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: RestoreRequest,
): Promise<OperationReply<'restore'>> {
  await deps.files.access.open(ctx, placeOf(request), '/', 'restore')
  const rows = await requireItems(deps, ctx, { ids: request.recycleIds, need: 'restore' })
  const added = await deps.queue.add({
    kind: 'restore',
    ownerId: ctx.principal.id,
    payload: { ...request, ...limitsOf(ctx.principal) },
    progress: { ...NO_PROGRESS, totalFiles: rows.length },
  })
  return { job: presentJob(await deps.queue.settled(added.id, WITHIN_CALL_MS), ctx.locale) }
}

export async function runRestore(
  deps: RecycleDeps,
  job: Job<RestorePayload, FileProgress>,
  run: Run<RestorePayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, job.progress)
  const { conflict, recycleIds } = job.payload
  for (const row of await recycleStore.byIds(deps.db, job.ownerId, recycleIds)) {
    const isBack = await progress.entry(row.path, () =>
      withItemLock(deps, row, async () => {
        const principal = await requireJobPrincipal(deps, job)
        await restore(deps, { principal, row, conflict, progress, signal: run.signal })
      }),
    )
    if (isBack) progress.done({ files: 1, bytes: 0 })
  }
  progress.set({ current: '' })
  return progress.shown
}

interface Restoring {
  readonly principal: AccountPrincipal
  readonly row: RecycleRow
  readonly conflict: ConflictPolicy
  readonly progress: JobProgress
  readonly signal: AbortSignal
}

async function restore(deps: RecycleDeps, { principal, row, conflict, progress, signal }: Restoring): Promise<void> {
  const { files } = deps
  const [isStillThere] = await recycleStore.byIds(deps.db, principal.id, [row.id])
  if (!isStillThere) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  const location = await files.access.open({ principal }, { kind: 'recycle', recycleId: row.id }, '/', 'restore')
  const { store } = location
  const entry = await withAppErrors(() => store.stat(location.key))
  if (!entry) {
    // A restore that was cut short after its move: the entry is back.
    await recycleStore.remove(deps.db, row.id)
    return
  }
  const folder = await folderFor(deps, principal, row)
  const onRefused = (path: string, error: AppError): void => progress.fail(row.path + path, error)
  const placing = {
    files,
    conflict,
    carrier: restoring(deps, { store, bucket: bucketOfItem(row) }, signal),
    signal,
    onRefused,
  }
  await placeEntry(placing, { location, entry }, folder, nameOf(row))
  if ((await store.stat(row.storage_key)) === undefined) await recycleStore.remove(deps.db, row.id)
}

interface Item {
  readonly store: ObjectStore
  readonly bucket: string
}

function restoring({ db, files, quotas }: RecycleDeps, { store, bucket }: Item, signal: AbortSignal): Carrier {
  return {
    holdsFolder: store.capabilities.atomicMove,
    needs: { file: 'restore', folder: 'restore' },
    byEntry: (folder) => folder.restrictsTypes,
    async carry({ location }: Found, target: Location, replace: boolean): Promise<void> {
      const replaced = replace ? ((await store.stat(target.key))?.size ?? 0) : 0
      await store.move(location.key, target.key, { conflict: replace ? 'replace' : 'fail', signal })
      await quotas.freeBytes(db, bucket, replaced)
      await noteMove(files, location, target)
    },
    async emptied({ key }: Location): Promise<void> {
      for await (const page of store.list(key)) if (page.names.length > 0) return
      await store.remove(key)
    },
  }
}

/** The folder an entry was deleted from; what is gone of it is made again. */
async function folderFor(deps: RecycleDeps, principal: AccountPrincipal, row: RecycleRow): Promise<Location> {
  const { access } = deps.files
  const place = placeOf({ spaceId: row.space_id, groupId: row.group_id })
  let folder = await requireFolder(await access.open({ principal }, place, '/', 'restore'))
  for (const name of row.path.split('/').slice(1, -1)) folder = await folderIn(deps, folder, name)
  return folder
}

async function folderIn({ files }: RecycleDeps, parent: Location, name: string): Promise<Location> {
  const found = await find(within(parent, name))
  if (found !== undefined) {
    if (found.entry.kind !== 'folder') throw new AppError('PATH_IS_FILE')
    return found.location
  }
  const made = newWithin(parent, { name, kind: 'folder', need: 'restoreFolder' })
  await files.locks.run(parent, async () => {
    await requireNoClash(files, made)
    await withAppErrors(() => made.store.ensureFolder(made.key))
    noteChange(files, made, 'folder')
  })
  return made
}
