import { RESERVED_NAME, type ConflictPolicy, type OperationReply } from '@godwit/contract'
import { StorageError } from '@godwit/storage'
import type { UserCtx } from '../../kernel/context.ts'
import type { AccountPrincipal, JobPrincipal } from '../../kernel/principal.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { AnyJob, Job, Run } from '../../kernel/queue/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import {
  isFileJob,
  JobProgress,
  locate,
  measureTree,
  nameOf,
  NO_PROGRESS,
  noteChange,
  noteMove,
  folderOf,
  placeEntry,
  presentJob,
  requireEntry,
  requirePermission,
  WITHIN_CALL_MS,
  type FileJobsDeps,
  type FileProgress,
  type Found,
  type Location,
  type Place,
} from '../files/index.ts'
import { forgetHashes } from '../quotas/index.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

export interface RecycleDeps extends FileJobsDeps {
  readonly ids: Ids
}

/** Below this no name of a user begins, so nothing in it can be listed or reached by a path. */
const BIN = `${RESERVED_NAME}-recycle`
const PURGE_BATCH = 100

export interface RemovePayload extends Place {
  readonly paths: readonly string[]
}

/**
 * Moves entries to the recycle bin.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED
 */
export async function startRemove(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: RemovePayload,
): Promise<OperationReply<'remove'>> {
  requirePermission(ctx.principal, 'delete')
  for (const path of request.paths) {
    const { location } = await requireEntry(locate(deps.files.storages, ctx.principal, request, path))
    if (location.path === '/') throw new AppError('PARAMETER_INVALID', { field: 'paths' })
  }
  const added = await deps.queue.add({
    kind: 'remove',
    ownerId: ctx.principal.id,
    payload: request,
    progress: { ...NO_PROGRESS, totalFiles: request.paths.length },
  })
  const job = await deps.queue.settled(added.id, WITHIN_CALL_MS)
  return { job: presentJob(job, ctx.locale), recycleIds: [...recycledBy(job)] }
}

export async function runRemove(
  deps: RecycleDeps,
  job: Job<RemovePayload, FileProgress>,
  run: Run<RemovePayload, FileProgress>,
): Promise<FileProgress> {
  const principal = await requirePrincipal(deps, job)
  const progress = new JobProgress(run, job.progress)
  for (const path of job.payload.paths) {
    await progress.entry(path, async () => {
      run.signal.throwIfAborted()
      const location = locate(deps.files.storages, principal, job.payload, path)
      // A run that was cut short had moved it already.
      const found = await requireEntry(location).catch((thrown: unknown) => {
        if (job.attempts > 1 && thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') return undefined
        throw thrown
      })
      if (!found) return
      const id = await recycle(deps, { principal, found, signal: run.signal })
      progress.set({ recycleIds: [...(progress.shown.recycleIds ?? []), id] })
      progress.done({ files: 1, bytes: 0 })
    })
  }
  progress.set({ current: '' })
  return progress.shown
}

/** The row comes first: were it the other way round, a crash in between would hide a file for ever. */
async function recycle(
  deps: RecycleDeps,
  {
    principal,
    found,
    signal,
  }: { readonly principal: AccountPrincipal; readonly found: Found; readonly signal: AbortSignal },
): Promise<string> {
  const { location, entry } = found
  const id = deps.ids.next()
  const row: RecycleRow = {
    id,
    owner_id: principal.id,
    space_id: location.place.spaceId,
    group_id: location.place.groupId,
    path: location.path,
    storage_key: `${BIN}/${principal.id}/${id}`,
    is_folder: entry.kind === 'folder' ? 1 : 0,
    size: entry.kind === 'file' ? entry.size : (await measureTree(location.store, location.key, signal)).bytes,
    deleted_at: deps.files.clock.now(),
    purging: 0,
  }
  await recycleStore.insert(deps.db, row)
  try {
    await withAppErrors(() => moveToBin(location, row.storage_key))
  } catch (thrown) {
    await recycleStore.remove(deps.db, id)
    throw thrown
  }
  await noteMove(deps.files, location, { ...location, key: row.storage_key })
  noteChange(deps.files, location, 'gone')
  return id
}

async function moveToBin({ store, key }: Location, binKey: string): Promise<void> {
  try {
    await store.move(key, binKey, { conflict: 'fail' })
  } catch (thrown) {
    // The bin of an account appears with its first use; a missing entry fails again below.
    if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw thrown
    await store.ensureFolder(binKey.slice(0, binKey.lastIndexOf('/')))
    await store.move(key, binKey, { conflict: 'fail' })
  }
}

/** What the caller has in the bin of a place, newest first. */
export async function listRecycled(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: Place & { readonly cursor?: string | null | undefined; readonly limit: number },
): Promise<OperationReply<'recycled'>> {
  requirePermission(ctx.principal, 'list')
  // The place must still be one of the account's.
  locate(deps.files.storages, ctx.principal, request, '/')
  const { spaceId, groupId, limit } = request
  const rows = await recycleStore.page(deps.db, {
    ownerId: ctx.principal.id,
    place: { spaceId, groupId },
    before: request.cursor ?? undefined,
    limit,
  })
  const last = rows.at(-1)
  return { items: rows.map(present), next: rows.length === limit && last !== undefined ? last.id : null }
}

function present(row: RecycleRow): OperationReply<'recycled'>['items'][number] {
  return {
    recycleId: row.id,
    name: row.path.slice(row.path.lastIndexOf('/') + 1),
    path: row.path,
    file_type: row.is_folder === 1 ? 'Folder' : 'File',
    size: row.size,
    deletedAt: Math.floor(row.deleted_at / 1000),
  }
}

export interface RestorePayload extends Place {
  readonly recycleIds: readonly string[]
  readonly conflict: ConflictPolicy
}

/**
 * Puts recycled entries back; folders on the way that are gone come back too.
 * @throws AppError RECYCLE_ITEM_NOT_FOUND, PERMISSION_DENIED
 */
export async function startRestore(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: RestorePayload,
): Promise<OperationReply<'restore'>> {
  requirePermission(ctx.principal, 'delete')
  const rows = await recycleStore.byIds(deps.db, ctx.principal.id, request.recycleIds)
  if (rows.length !== new Set(request.recycleIds).size) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  const progress = { ...NO_PROGRESS, totalFiles: rows.length }
  const added = await deps.queue.add({ kind: 'restore', ownerId: ctx.principal.id, payload: request, progress })
  return { job: presentJob(await deps.queue.settled(added.id, WITHIN_CALL_MS), ctx.locale) }
}

export async function runRestore(
  deps: RecycleDeps,
  job: Job<RestorePayload, FileProgress>,
  run: Run<RestorePayload, FileProgress>,
): Promise<FileProgress> {
  const principal = await requirePrincipal(deps, job)
  const progress = new JobProgress(run, job.progress)
  for (const row of await recycleStore.byIds(deps.db, principal.id, job.payload.recycleIds)) {
    const isBack = await progress.entry(row.path, () =>
      holding(deps, row, () => restore(deps, { principal, row, conflict: job.payload.conflict, signal: run.signal })),
    )
    if (isBack) progress.done({ files: 1, bytes: 0 })
  }
  progress.set({ current: '' })
  return progress.shown
}

/**
 * Keeps an item to one restore or purge. Whoever comes second finds what the first one left: nothing, or an item that
 * never comes back.
 */
async function holding(deps: RecycleDeps, row: RecycleRow, work: () => Promise<void>): Promise<void> {
  const store = deps.files.storages.ofSpace(row.space_id)
  if (store === undefined) throw new AppError('NO_SPACE')
  await deps.files.locks.run({ store, key: row.storage_key }, work)
}

interface Restoring {
  readonly principal: AccountPrincipal
  readonly row: RecycleRow
  readonly conflict: ConflictPolicy
  readonly signal: AbortSignal
}

async function restore(deps: RecycleDeps, { principal, row, conflict, signal }: Restoring): Promise<void> {
  const { files } = deps
  const [isStillThere] = await recycleStore.byIds(deps.db, principal.id, [row.id])
  if (!isStillThere) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  const home = locate(files.storages, principal, { spaceId: row.space_id, groupId: row.group_id }, row.path)
  const folder = folderOf(home)
  const { store } = home
  const entry = await withAppErrors(() => store.stat(row.storage_key))
  if (!entry) {
    // A restore that was cut short after its move: the entry is back.
    await recycleStore.remove(deps.db, row.id)
    return
  }
  await withAppErrors(() => store.ensureFolder(folder.key))
  const source: Found = { location: { ...home, key: row.storage_key }, entry }
  const carrier = {
    holdsFolder: store.capabilities.atomicMove,
    carry: async ({ location }: Found, target: Location, replace: boolean): Promise<void> => {
      const replaced = replace ? ((await store.stat(target.key))?.size ?? 0) : 0
      await store.move(location.key, target.key, { conflict: replace ? 'replace' : 'fail', signal })
      await deps.quotas.freeBytes(deps.db, principal.id, replaced)
      await noteMove(files, location, target)
    },
    emptied: async ({ key }: Location): Promise<void> => {
      for await (const page of store.list(key)) if (page.names.length > 0) return
      await store.remove(key)
    },
  }
  await placeEntry({ files, conflict, carrier, signal }, source, folder, nameOf(home))
  if ((await store.stat(row.storage_key)) === undefined) await recycleStore.remove(deps.db, row.id)
}

export interface PurgePayload extends Place {
  readonly recycleIds: readonly string[] | 'all'
  /** Newest item in the bin when 'all' was asked for: what is removed later stays. */
  readonly last?: string
}

/**
 * Deletes recycled entries for good.
 * @throws AppError RECYCLE_ITEM_NOT_FOUND, PERMISSION_DENIED
 */
export async function startPurge(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: PurgePayload,
): Promise<OperationReply<'purge'>> {
  requirePermission(ctx.principal, 'delete')
  const { spaceId, groupId, recycleIds } = request
  const place = { spaceId, groupId }
  const ownerId = ctx.principal.id
  const payload =
    recycleIds === 'all'
      ? {
          ...request,
          last: (await recycleStore.page(deps.db, { ownerId, place, before: undefined, limit: 1 }))[0]?.id ?? '',
        }
      : request
  if (recycleIds !== 'all') {
    const rows = await recycleStore.byIds(deps.db, ownerId, recycleIds)
    if (rows.length !== new Set(recycleIds).size) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  }
  const progress = { ...NO_PROGRESS, totalFiles: recycleIds === 'all' ? 0 : recycleIds.length }
  const added = await deps.queue.add({ kind: 'purge', ownerId, payload, progress })
  return { job: presentJob(await deps.queue.settled(added.id, WITHIN_CALL_MS), ctx.locale) }
}

export async function runPurge(
  deps: RecycleDeps,
  job: Job<PurgePayload, FileProgress>,
  run: Run<PurgePayload, FileProgress>,
): Promise<FileProgress> {
  const principal = await requirePrincipal(deps, job)
  const progress = new JobProgress(run, job.progress)
  for await (const rows of wantedRows(deps, principal.id, job.payload)) {
    for (const row of rows) {
      const isGone = await progress.entry(row.path, async () => {
        run.signal.throwIfAborted()
        await purgeItem(deps, row, run.signal)
      })
      if (isGone) progress.done({ files: 1, bytes: 0 })
    }
  }
  progress.set({ current: '' })
  return progress.shown
}

/** After a restart the items that are gone already are not among them. */
async function* wantedRows(
  { db }: RecycleDeps,
  ownerId: string,
  { recycleIds, last = '', spaceId, groupId }: PurgePayload,
): AsyncGenerator<RecycleRow[]> {
  if (recycleIds !== 'all') {
    yield await recycleStore.ofOwner(db, ownerId, recycleIds)
    return
  }
  const place = { spaceId, groupId }
  for (let after = ''; ;) {
    const rows = await recycleStore.upTo(db, { ownerId, place, after, last, limit: PURGE_BATCH })
    yield rows
    if (rows.length < PURGE_BATCH) return
    after = rows.at(-1)?.id ?? last
  }
}

/** The way back is given up before the first byte goes: half a tree is never restored. */
async function purgeItem(deps: RecycleDeps, row: RecycleRow, signal?: AbortSignal): Promise<void> {
  await holding(deps, row, async () => {
    if (!(await recycleStore.markPurging(deps.db, row.id))) return
    const store = deps.files.storages.ofSpace(row.space_id)
    try {
      await store?.remove(row.storage_key, signal === undefined ? {} : { signal })
    } catch (thrown) {
      // Restored or purged by a run that was cut short: only its row is left.
      if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw storageError(thrown)
    }
    await forgetHashes(deps.db, row.space_id, row.storage_key)
    await inTransaction(deps.db, async (tx) => {
      if (await recycleStore.remove(tx, row.id)) await deps.quotas.freeBytes(tx, row.owner_id, row.size)
    })
  })
}

/**
 * Deletes for good what has been in the bin since before `deletedBefore`, and what a purge that was cut short left behind.
 * Bytes count for their owner until then. One item that fails does not keep the others.
 * @returns items deleted
 */
export async function purgeDue(deps: RecycleDeps, deletedBefore: number): Promise<number> {
  let purged = 0
  for (;;) {
    const rows = await recycleStore.due(deps.db, deletedBefore, PURGE_BATCH)
    let failed = 0
    for (const row of rows) {
      try {
        await purgeItem(deps, row)
        purged++
      } catch (thrown) {
        failed++
        deps.files.log.warn(
          { err: thrown, recycleId: row.id },
          'a recycled item could not be deleted; it will be tried again',
        )
      }
    }
    if (rows.length < PURGE_BATCH || failed > 0) return purged
  }
}

function recycledBy(job: AnyJob): readonly string[] {
  return isFileJob(job) ? (job.progress.recycleIds ?? []) : []
}

async function requirePrincipal(deps: RecycleDeps, job: Job): Promise<JobPrincipal> {
  const principal = await deps.principalOf(job)
  if (!principal) throw new AppError('TOKEN_INVALID')
  requirePermission(principal, 'delete')
  return principal
}
