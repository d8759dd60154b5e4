import { RESERVED_NAME, type OperationReply } from '@godwit/contract'
import { StorageError } from '@godwit/storage'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AnyJob, Job, Run } from '../../kernel/queue/index.ts'
import {
  folderOf,
  placeOf,
  requireEntry,
  requireNothingHidden,
  type Access,
  type Found,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import {
  FAILURES_MAX,
  isFileJob,
  JobProgress,
  limitsOf,
  measureTree,
  NO_PROGRESS,
  noteChange,
  noteMove,
  presentJob,
  requireJobPrincipal,
  requireSeen,
  seenAs,
  WITHIN_CALL_MS,
  type FileProgress,
  type JobLimits,
} from '../files/index.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

/** Below this no name of a user begins, so nothing in it can be listed or reached by a path. */
const BIN = `${RESERVED_NAME}-recycle`

interface RemoveRequest extends PlaceIds {
  readonly paths: readonly string[]
}

export interface RemovePayload extends RemoveRequest, JobLimits {
  /** What stood at each of the paths. */
  readonly seen: readonly string[]
}

/**
 * Moves entries to the recycle bin. A path that fails is reported with the job, the others go on.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED when no path can be removed
 */
export async function startRemove(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: RemoveRequest,
): Promise<OperationReply<'remove'>> {
  const { paths, seen, failures } = await removablePaths(deps.files.access, ctx, request)
  const added = await deps.queue.add({
    kind: 'remove',
    ownerId: ctx.principal.id,
    payload: { ...request, ...limitsOf(ctx.principal), paths, seen },
    progress: { ...NO_PROGRESS, totalFiles: paths.length, failures: failures.slice(0, FAILURES_MAX) },
  })
  const job = await deps.queue.settled(added.id, WITHIN_CALL_MS)
  return { job: presentJob(job, ctx.locale), recycleIds: [...recycledBy(job)] }
}

async function removablePaths(access: Access, ctx: UserCtx, request: RemoveRequest) {
  const paths: string[] = []
  const seen: string[] = []
  const failures: Array<FileProgress['failures'][number]> = []
  let first: AppError | undefined
  for (const path of request.paths) {
    try {
      const { entry } = await findRemovable(access, ctx, { ids: request, path })
      paths.push(path)
      seen.push(seenAs(entry))
    } catch (thrown) {
      const error = storageError(thrown)
      if (error.status >= 500) throw error
      first ??= error
      failures.push({ path, code: error.code })
    }
  }
  if (paths.length === 0 && first !== undefined) throw first
  return { paths, seen, failures }
}

/** @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, PARAMETER_INVALID for a root */
async function findRemovable(
  access: Access,
  ctx: Pick<UserCtx, 'principal'>,
  { ids, path }: { readonly ids: PlaceIds; readonly path: string },
): Promise<Found> {
  const found = await requireEntry(await access.open(ctx, placeOf(ids), path, 'delete'))
  if (found.location.path === '/') throw new AppError('PARAMETER_INVALID', { field: 'paths' })
  if (found.entry.kind === 'folder') await requireNothingHidden(found.location)
  return found
}

export async function runRemove(
  deps: RecycleDeps,
  job: Job<RemovePayload, FileProgress>,
  run: Run<RemovePayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, job.progress)
  const { access } = deps.files
  for (const [at, path] of job.payload.paths.entries()) {
    await progress.entry(path, async () => {
      run.signal.throwIfAborted()
      const principal = await requireJobPrincipal(deps, job)
      // A run that was cut short had moved it already.
      const found = await findRemovable(access, { principal }, { ids: job.payload, path }).catch((thrown: unknown) => {
        if (job.attempts > 1 && thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') return undefined
        throw thrown
      })
      if (!found) return
      const id = await deps.files.locks.run(folderOf(found.location), async () => {
        const { location } = found
        const entry = await withAppErrors(() => location.store.stat(location.key))
        if (entry === undefined) throw new AppError('PATH_NOT_FOUND')
        requireSeen(entry, job.payload.seen[at])
        return recycle(deps, { ownerId: job.ownerId, found: { location, entry }, signal: run.signal })
      })
      progress.set({ recycleIds: [...(progress.shown.recycleIds ?? []), id] })
      progress.done({ files: 1, bytes: 0 })
    })
  }
  progress.set({ current: '' })
  return progress.shown
}

interface Recycling {
  readonly ownerId: string
  readonly found: Found
  readonly signal: AbortSignal
}

/** The row comes first: were it the other way round, a crash in between would hide a file for ever. */
async function recycle(deps: RecycleDeps, { ownerId, found, signal }: Recycling): Promise<string> {
  const { location, entry } = found
  const id = deps.ids.next()
  const row: RecycleRow = {
    id,
    owner_id: ownerId,
    space_id: location.place.spaceId,
    group_id: location.place.groupId,
    path: location.path,
    storage_key: `${BIN}/${ownerId}/${id}`,
    is_folder: entry.kind === 'folder' ? 1 : 0,
    size: entry.kind === 'file' ? entry.size : (await measureTree(location, signal)).bytes,
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
  await noteMove(deps.files, location, { store: location.store, key: row.storage_key })
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

/** What the caller has in the bin of a place, newest first. What rules hide there is hidden here. */
export async function listRecycled(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: PlaceIds & { readonly cursor?: string | null | undefined; readonly limit: number },
): Promise<OperationReply<'recycled'>> {
  const { spaceId, groupId, limit } = request
  const root = await deps.files.access.open(ctx, placeOf(request), '/', 'list')
  const items: OperationReply<'recycled'>['items'] = []
  for (let before = request.cursor ?? undefined; ;) {
    const rows = await recycleStore.page(deps.db, {
      ownerId: ctx.principal.id,
      place: { spaceId, groupId },
      before,
      limit,
    })
    for (const row of rows) {
      if (root.showsPath(row.path, row.is_folder === 1)) items.push(present(row))
      if (items.length === limit) return { items, next: row.id }
      before = row.id
    }
    if (rows.length < limit) return { items, next: null }
  }
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

function recycledBy(job: AnyJob): readonly string[] {
  return isFileJob(job) ? (job.progress.recycleIds ?? []) : []
}
