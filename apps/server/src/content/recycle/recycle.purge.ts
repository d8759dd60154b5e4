import type { Clock } from '@godwit/base'
import type { OperationReply } from '@godwit/contract'
import { StorageError } from '@godwit/storage'
import { storageError } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent, type DurableEvents } from '../../kernel/events/index.ts'
import type { Job, Run } from '../../kernel/queue/index.ts'
import { placeOf, type PlaceIds } from '../access/index.ts'
import {
  actorOfJob,
  JobProgress,
  limitsOf,
  NO_PROGRESS,
  presentJob,
  recycleIdsUnderWay,
  requireJobPrincipal,
  startFileJob,
  type FileProgress,
  type JobLimits,
} from '../files/index.ts'
import type { Origin } from '../file-events/index.ts'
import { forgetVersions } from '../kept-versions/index.ts'
import { forgetProperties } from '../properties/index.ts'
import { forgetHashes } from '../quotas/index.ts'
import { bucketOfItem, storeOfItem, withItemLock, type RecycleDeps } from './recycle.deps.ts'
import { requireItem, requireItems } from './recycle.items.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

const PURGE_BATCH = 100

export interface PurgePayload extends PlaceIds, JobLimits {
  readonly recycleIds: readonly string[] | 'all'
  /** Newest item in the bin when 'all' was asked for: what is removed later stays. */
  readonly last?: string
  /** An administrator asked, so the rights of the owner do not matter. */
  readonly isByAdministrator?: true
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
  await deps.files.access.open(ctx, placeOf(request), '/', 'purge')
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
  if (recycleIds !== 'all') await requireItems(deps, ctx, { ids: recycleIds, need: 'purge' })
  const progress = { ...NO_PROGRESS, totalFiles: recycleIds === 'all' ? 0 : recycleIds.length }
  const job = await startFileJob(deps, { kind: 'purge', ownerId, payload: { ...payload, ...limitsOf(ctx) }, progress })
  return { job: presentJob(job, ctx.locale) }
}

export async function runPurge(
  deps: RecycleDeps,
  job: Job<PurgePayload, FileProgress>,
  run: Run<PurgePayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, job.progress)
  for await (const rows of wantedRows(deps, job.ownerId, job.payload)) {
    for (const row of rows) {
      const isGone = await progress.entry(row.path, async () => {
        run.signal.throwIfAborted()
        if (await mayPurge(deps, job, row.id))
          await purgeItem(deps, row, { origin: actorOfJob(job).origin, signal: run.signal })
      })
      if (isGone) progress.done({ files: 1, bytes: 0 })
    }
  }
  progress.set({ current: '' })
  return progress.shown
}

/** Hidden items are none that a person who empties the bin knows of. @throws AppError PERMISSION_DENIED, TOKEN_INVALID */
async function mayPurge(deps: RecycleDeps, job: Job<PurgePayload, FileProgress>, id: string): Promise<boolean> {
  if (job.payload.isByAdministrator) return true
  try {
    await requireItem(deps, { principal: await requireJobPrincipal(deps, job) }, { id, need: 'purge' })
    return true
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'RECYCLE_ITEM_NOT_FOUND') return false
    throw thrown
  }
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

/** Deletes for good whatever an account has in the bin of its personal files. */
export async function purgeAllOf(deps: RecycleDeps, ownerId: string, purging: Purging): Promise<void> {
  for (;;) {
    const rows = await recycleStore.personalOf(deps.db, ownerId, PURGE_BATCH)
    if (rows.length === 0) return
    for (const row of rows) await purgeItem(deps, row, purging)
  }
}

/** The time of retention is over. */
const BY_TIME: Origin = { by: { kind: 'system', id: '' }, door: 'schedule' }

interface Purging {
  readonly origin: Origin
  readonly signal?: AbortSignal
}

/**
 * The way back is given up before the first byte goes: half a tree is never restored.
 * @throws AppError FILE_BUSY while nobody knows whether it is back in the tree already
 */
async function purgeItem(deps: RecycleDeps, row: RecycleRow, { origin, signal }: Purging): Promise<void> {
  const isUnderWay = async (): Promise<boolean> => (await recycleIdsUnderWay(deps.db)).has(row.id)
  if (await isUnderWay()) await deps.files.steps.recover()
  await withItemLock(deps, row, async () => {
    if (await isUnderWay()) throw new AppError('FILE_BUSY')
    if (!(await recycleStore.markPurging(deps.db, row.id))) return
    const store = await storeOfItem(deps, row)
    try {
      await store.remove(row.storage_key, signal === undefined ? {} : { signal })
    } catch (thrown) {
      // Restored or purged by a run that was cut short: only its row is left.
      if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw storageError(thrown)
    }
    await forgetHashes(deps.db, row.space_id, row.storage_key)
    await forgetProperties(deps.db, { spaceId: row.space_id, key: row.storage_key })
    await forgetVersions(deps.db, { store, spaceId: row.space_id, key: row.storage_key })
    await inTransaction(deps.db, async (tx) => {
      if (!(await recycleStore.remove(tx, row.id))) return
      await deps.quotas.freeBytes(tx, bucketOfItem(row), row.size)
      await recordEvent({ tx, clock: deps.files.clock }, 'file.deleted', deletedForGood(row, origin, deps.files.clock))
    })
  })
}

function deletedForGood(row: RecycleRow, origin: Origin, clock: Clock): DurableEvents['file.deleted'] {
  return {
    ...origin,
    userId: row.owner_id,
    spaceId: row.space_id,
    groupId: row.group_id,
    path: row.path,
    kind: row.is_folder === 1 ? 'folder' : 'file',
    size: row.size,
    at: clock.now(),
    recycleId: row.id,
    isForGood: true,
  }
}

/**
 * Deletes for good what has been in the bin since before `deletedBefore`, and what a purge that was cut short left behind.
 * Bytes count for their owner until then. One item that fails does not keep the others.
 * @returns items deleted
 */
export async function purgeDue(deps: RecycleDeps, deletedBefore: number): Promise<number> {
  let purged = 0
  for (let after = ''; ;) {
    const rows = await recycleStore.due(deps.db, { deletedBefore, after, limit: PURGE_BATCH })
    for (const row of rows) {
      try {
        await purgeItem(deps, row, { origin: BY_TIME })
        purged++
      } catch (thrown) {
        deps.files.log.warn(
          { err: thrown, recycleId: row.id },
          'a recycled item could not be deleted; it will be tried again',
        )
      }
    }
    if (rows.length < PURGE_BATCH) return purged
    after = rows.at(-1)?.id ?? ''
  }
}
