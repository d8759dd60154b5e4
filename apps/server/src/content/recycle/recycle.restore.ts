import { FULL_PERMISSION, type ConflictPolicy, type OperationReply } from '@godwit/contract'
import { isEmptyFolder, type Entry, type ObjectStore } from '@godwit/storage'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal, JobPrincipal } from '../../kernel/principal.ts'
import type { Job, Run } from '../../kernel/queue/index.ts'
import {
  find,
  folderOf,
  nameOf,
  newWithin,
  placeOf,
  requireFolder,
  wireGroupOf,
  within,
  type Found,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import {
  actorOfJob,
  addFolder,
  JobProgress,
  measureStored,
  limitsOf,
  NO_PROGRESS,
  placeEntry,
  presentJob,
  requireJobPrincipal,
  replacedBy,
  requireNoClash,
  stepOf,
  startFileJob,
  type Actor,
  type BookStep,
  type Carrier,
  type FileProgress,
  type JobLimits,
  type Step,
} from '../files/index.ts'
import { withItemLock, type RecycleDeps } from './recycle.deps.ts'
import { requireItems } from './recycle.items.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

interface RestoreRequest extends PlaceIds {
  readonly recycleIds: readonly string[]
  readonly conflict: ConflictPolicy
  /** Folder of the place that takes them; absent: where each was. */
  readonly target?: string | null | undefined
}

export interface RestorePayload extends RestoreRequest, JobLimits {
  /** An administrator asked: the flags of the owner do not matter in their own files. */
  readonly isByAdministrator?: true
}

/**
 * Puts recycled entries back where they were, and folders on the way that are gone too; or all of them into one folder.
 * @throws AppError RECYCLE_ITEM_NOT_FOUND, PERMISSION_DENIED; PATH_NOT_FOUND, PATH_IS_FILE for the folder
 */
export async function startRestore(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: RestoreRequest,
): Promise<OperationReply<'restore'>> {
  const target = await deps.files.access.open(ctx, placeOf(request), request.target ?? '/', 'restore')
  if (typeof request.target === 'string') await requireFolder(target)
  const rows = await requireItems(deps, ctx, { ids: request.recycleIds, need: 'restore' })
  const job = await startFileJob(deps, {
    kind: 'restore',
    ownerId: ctx.principal.id,
    payload: { ...request, ...limitsOf(ctx) },
    progress: { ...NO_PROGRESS, totalFiles: rows.length },
  })
  return { job: presentJob(job, ctx.locale) }
}

export async function runRestore(
  deps: RecycleDeps,
  job: Job<RestorePayload, FileProgress>,
  run: Run<RestorePayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, job.progress)
  const { conflict, recycleIds } = job.payload
  await deps.files.steps.resume(job.id)
  for (const row of await recycleStore.byIds(deps.db, job.ownerId, recycleIds)) {
    const isBack = await progress.entry(row.path, () =>
      withItemLock(deps, row, async () => {
        const principal = await restorerOf(deps, job)
        await restore(deps, { job, principal, row, conflict, progress, signal: run.signal })
      }),
    )
    if (isBack) progress.done({ files: 1, bytes: 0 })
  }
  progress.set({ current: '' })
  return progress.shown
}

/** @throws AppError TOKEN_INVALID when the owner is locked or removed */
async function restorerOf(deps: RecycleDeps, job: Job<RestorePayload, FileProgress>): Promise<JobPrincipal> {
  const principal = await requireJobPrincipal(deps, job)
  if (!job.payload.isByAdministrator) return principal
  return { ...principal, account: { ...principal.account, permission: FULL_PERMISSION } }
}

interface Restoring {
  readonly job: Job<RestorePayload, FileProgress>
  readonly principal: AccountPrincipal
  readonly row: RecycleRow
  readonly conflict: ConflictPolicy
  readonly progress: JobProgress
  readonly signal: AbortSignal
}

async function restore(deps: RecycleDeps, restoring: Restoring): Promise<void> {
  const { job, principal, row, conflict, progress, signal } = restoring
  const { files } = deps
  const [isStillThere] = await recycleStore.byIds(deps.db, principal.id, [row.id])
  if (!isStillThere) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  const location = await files.access.open({ principal }, { kind: 'recycle', recycleId: row.id }, '/', 'restore')
  const entry = await withAppErrors(() => location.store.stat(location.key))
  if (!entry) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  const actor = actorOfJob(job)
  const folder = await folderFor(deps, { actor, principal, row, target: job.payload.target })
  const onRefused = (path: string, error: AppError): void => progress.fail(row.path + path, error)
  const placing = { files, actor, conflict, carrier: carrierOf(deps, restoring, location.store), signal, onRefused }
  await placeEntry(placing, { location, entry }, folder, nameOf(row))
}

function carrierOf(deps: RecycleDeps, { job, row, signal }: Restoring, store: ObjectStore): Carrier {
  const { db, files } = deps
  return {
    holdsFolder: store.capabilities.atomicMove,
    needs: { file: 'restore', folder: 'restore' },
    byEntry: (folder, target) => folder.restrictsTypes || target.mayHideBelow,
    async carry({ location }: Found, to: Location, replace: boolean): Promise<void> {
      const source = { location, entry: await requireStored(location) }
      const isWholeItem = location.key === row.storage_key
      // In the bin nothing changes any more.
      const bytes = isWholeItem ? row.size : await bytesOf(source)
      const replaced = replace ? await replacedBy(to) : undefined
      const step: Step = {
        ...stepOf(actorOfJob(job), { kind: 'restore', source, to, bytes, replaced }),
        recycleId: row.id,
        isWholeItem,
        held: [row.storage_key, folderOf(to).key],
      }
      const options = { conflict: replace ? 'replace' : 'fail', signal } as const
      await files.steps.take({ step, store, job: { id: job.id, at: -1 } }, () =>
        store.move(location.key, to.key, options),
      )
    },
    async emptied({ key }: Location): Promise<void> {
      if (!(await isEmptyFolder(store, key))) return
      // The row first: an empty folder without a row is nothing, a row without its folder is a loss.
      if (key === row.storage_key) await recycleStore.remove(db, row.id)
      await store.remove(key)
    },
  }
}

/** @throws AppError PATH_NOT_FOUND */
async function requireStored({ store, key }: Location): Promise<Entry> {
  const entry = await store.stat(key)
  if (entry === undefined) throw new AppError('PATH_NOT_FOUND')
  return entry
}

async function bytesOf({ location, entry }: Found): Promise<number> {
  return entry.kind === 'file' ? entry.size : (await measureStored(location)).bytes
}

/** What came back is no longer in the bin; what is left of an item weighs less. */
export const bookRestored: BookStep = async (tx, { recycleId, isWholeItem, bytes }) => {
  if (isWholeItem) await recycleStore.remove(tx, recycleId)
  else await recycleStore.shrink(tx, recycleId, bytes)
}

interface Returning {
  readonly actor: Actor
  readonly principal: AccountPrincipal
  readonly row: RecycleRow
  readonly target: string | null | undefined
}

interface Named {
  readonly parent: Location
  readonly name: string
}

/** The folder that was chosen, else the one an entry was deleted from; what is gone of that one is made again. */
async function folderFor(deps: RecycleDeps, { actor, principal, row, target }: Returning): Promise<Location> {
  const { access } = deps.files
  const place = placeOf({ spaceId: row.space_id, groupId: row.group_id })
  if (typeof target === 'string') {
    const chosen = placeOf({ spaceId: row.space_id, groupId: wireGroupOf(row.group_id) })
    const folder = await requireFolder(await access.open({ principal }, chosen, target, 'restore'))
    // What comes back is moved within its storage.
    if (folder.place.groupId !== row.group_id) throw new AppError('PARAMETER_INVALID', { field: 'target' })
    return folder
  }
  let folder = await requireFolder(await access.open({ principal }, place, '/', 'restore'))
  for (const name of row.path.split('/').slice(folder.isMount ? 2 : 1, -1))
    folder = await folderIn(deps, actor, { parent: folder, name })
  return folder
}

async function folderIn({ files }: RecycleDeps, actor: Actor, { parent, name }: Named): Promise<Location> {
  const found = await find(within(parent, name))
  if (found !== undefined) {
    if (found.entry.kind !== 'folder') throw new AppError('PATH_IS_FILE')
    return found.location
  }
  const made = newWithin(parent, { name, kind: 'folder', need: 'restoreFolder' })
  await files.locks.run(parent, async () => {
    if ((await find(made))?.entry.kind === 'folder') return
    await requireNoClash(files, made)
    await addFolder(files, actor, made)
  })
  return made
}
