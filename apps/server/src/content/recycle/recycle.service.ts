import { RESERVED_NAME, type OperationReply } from '@godwit/contract'
import { StorageError, type Entry, type ObjectStore } from '@godwit/storage'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AnyJob, Job, Run } from '../../kernel/queue/index.ts'
import {
  folderOf,
  groupOfMount,
  nameOf,
  placeOf,
  requireEntry,
  requireNothingHidden,
  type Access,
  type Found,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import {
  actorOfJob,
  FAILURES_MAX,
  isFileJob,
  JobProgress,
  limitsOf,
  NO_PROGRESS,
  presentJob,
  requireJobPrincipal,
  requireSeen,
  requireTree,
  revertFile,
  seenAs,
  startFileJob,
  type BookStep,
  type FileProgress,
  type JobLimits,
  type Made,
  type Step,
} from '../files/index.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

const STEPS_PER_CHECKPOINT = 100

/** Below this no name of a user begins, so nothing in it can be listed or reached by a path. */
const BIN = `${RESERVED_NAME}-recycle`

export interface RemoveRequest extends PlaceIds {
  readonly paths: readonly string[]
  /** For each path what it has to be, see `Made`: anything else stays, and what it had replaced takes its place. */
  readonly made?: ReadonlyArray<Pick<Made, 'seen' | 'tree' | 'versionId'>>
}

export interface RemovePayload extends RemoveRequest, JobLimits {
  /** What stood at each of the paths. */
  readonly seen: readonly string[]
  /** What folders among them have to have in them, see `Made`. */
  readonly trees?: readonly string[]
  /** The versions that take the place of what was made, see `Made`. */
  readonly versionIds?: readonly string[]
  /** Paths done; the next run goes on here. */
  readonly done: number
}

/**
 * Moves entries to the recycle bin. A path that fails is reported with the job, the others go on.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED when no path can be removed
 */
export async function startRemove(
  deps: RecycleDeps,
  ctx: UserCtx,
  { made, ...request }: RemoveRequest,
): Promise<OperationReply<'remove'>> {
  const { paths, seen, trees, versionIds, failures } = await removablePaths(deps.files.access, ctx, {
    ...request,
    ...(made === undefined ? {} : { made }),
  })
  const job = await startFileJob(deps, {
    kind: 'remove',
    ownerId: ctx.principal.id,
    payload: {
      ...request,
      ...limitsOf(ctx),
      paths,
      seen,
      ...(made === undefined ? {} : { trees, versionIds }),
      done: 0,
    },
    progress: { ...NO_PROGRESS, totalFiles: paths.length, failures: failures.slice(0, FAILURES_MAX) },
  })
  return { job: presentJob(job, ctx.locale), recycleIds: [...recycledBy(job)] }
}

async function removablePaths(access: Access, ctx: UserCtx, request: RemoveRequest) {
  const paths: string[] = []
  const seen: string[] = []
  const trees: string[] = []
  const versionIds: string[] = []
  const failures: Array<FileProgress['failures'][number]> = []
  let first: AppError | undefined
  for (const [at, path] of request.paths.entries()) {
    const made = request.made?.[at]
    try {
      const { entry } = await findRemovable(access, ctx, { ids: request, path, versionId: made?.versionId })
      paths.push(path)
      seen.push(made?.seen ?? seenAs(entry))
      trees.push(made?.tree ?? '')
      versionIds.push(made?.versionId ?? '')
    } catch (thrown) {
      const error = storageError(thrown)
      if (error.status >= 500) throw error
      first ??= error
      failures.push({ path, code: error.code })
    }
  }
  if (paths.length === 0 && first !== undefined) throw first
  return { paths, seen, trees, versionIds, failures }
}

interface Removable {
  readonly ids: PlaceIds
  readonly path: string
  /** Of what takes its place. */
  readonly versionId?: string | undefined
}

/** @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, PARAMETER_INVALID for a root */
async function findRemovable(
  access: Access,
  ctx: Pick<UserCtx, 'principal'>,
  { ids, path, versionId = '' }: Removable,
): Promise<Found> {
  const need = versionId === '' ? 'delete' : 'restoreVersion'
  const found = await requireEntry(await access.open(ctx, placeOf(ids), path, need))
  if (found.location.isRoot) throw new AppError('PARAMETER_INVALID', { field: 'paths' })
  if (found.entry.kind === 'folder') await requireNothingHidden(found.location)
  return found
}

export async function runRemove(
  deps: RecycleDeps,
  job: Job<RemovePayload, FileProgress>,
  run: Run<RemovePayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, job.progress)
  const { steps } = deps.files
  const { paths, seen, trees, versionIds, done } = job.payload
  const doneBefore = await steps.resume(job.id)
  for (let at = done; at < paths.length; at++) {
    const path = paths[at] ?? ''
    if (!doneBefore.has(at)) {
      await progress.entry(path, async () => {
        run.signal.throwIfAborted()
        const id = await removePath(deps, {
          job,
          path,
          at,
          seen: seen[at],
          tree: trees?.[at] ?? '',
          versionId: versionIds?.[at] ?? '',
          signal: run.signal,
        })
        if (id !== undefined) progress.set({ recycleIds: [...(progress.shown.recycleIds ?? []), id] })
        progress.done({ files: 1, bytes: 0 })
      })
    }
    // With the last one as well: a run that is killed between here and its end finds nothing left to do.
    if ((at + 1) % STEPS_PER_CHECKPOINT === 0 || at + 1 === paths.length) {
      await inTransaction(deps.db, async (tx) => {
        await run.checkpoint({ ...job.payload, done: at + 1 }, tx)
        await steps.forget(tx, job.id)
      })
    }
  }
  progress.set({ current: '' })
  return progress.shown
}

interface Removing {
  readonly job: Job<RemovePayload, FileProgress>
  readonly path: string
  /** Its place among the paths of the job. */
  readonly at: number
  readonly seen: string | undefined
  readonly tree: string
  readonly versionId: string
  readonly signal: AbortSignal
}

/** @returns the id of the recycled item; undefined when what it had replaced took its place */
async function removePath(
  deps: RecycleDeps,
  { job, path, at, seen, tree, versionId, signal }: Removing,
): Promise<string | undefined> {
  const { access, locks, steps } = deps.files
  const principal = await requireJobPrincipal(deps, job)
  const { location } = await findRemovable(access, { principal }, { ids: job.payload, path, versionId })
  if (versionId !== '') {
    const revert = { actor: actorOfJob(job), versionId, seen, job: { id: job.id, at } }
    await revertFile(deps, location, revert)
    return undefined
  }
  const { store } = location
  return locks.run(folderOf(location), async (held) => {
    const { entry } = await requireEntry(location)
    requireSeen(entry, seen)
    await requireTree(location, tree)
    if (entry.kind === 'folder') await requireNothingHidden(location, { signal })
    const recycleId = deps.ids.next()
    const step: Step = {
      ...actorOfJob(job),
      ...location.place,
      kind: 'recycle',
      entry: entry.kind,
      from: location.key,
      to: `${BIN}/${job.ownerId}/${recycleId}`,
      fromPath: location.path,
      path: location.path,
      etag: entry.etag,
      replaced: undefined,
      bytes: entry.kind === 'file' ? entry.size : null,
      recycleId,
      isWholeItem: true,
      held: [folderOf(location).key],
    }
    const wanted = { step, store, held, job: { id: job.id, at } }
    await withAppErrors(() => steps.take(wanted, () => moveToBin(location, step.to)))
    return recycleId
  })
}

/** A file that goes into somebody's bin without their asking. */
export interface AgedFile extends PlaceIds {
  /** Whose bin takes it. */
  readonly ownerId: string
  readonly store: ObjectStore
  readonly key: string
  /** As its owner sees it. */
  readonly path: string
  /** Tag of what is to go. */
  readonly etag: string
}

/** @throws AppError FILE_CHANGED when another file stands there now, FILE_LOCKED while somebody works on it */
export type RecycleFile = (file: AgedFile) => Promise<void>

export function recycleFile({ files, ids }: Pick<RecycleDeps, 'files' | 'ids'>): RecycleFile {
  return async ({ ownerId, spaceId, groupId, store, key, path, etag }) => {
    const folder = { store, key: key.slice(0, key.lastIndexOf('/')) }
    await files.locks.run(folder, async (held) => {
      const entry = await withAppErrors(() => store.stat(key))
      if (entry?.kind !== 'file' || entry.etag !== etag) throw new AppError('FILE_CHANGED')
      const recycleId = ids.next()
      const step: Step = {
        ...{ userId: ownerId, origin: { by: { kind: 'system', id: '' }, door: 'schedule' }, spaceId, groupId },
        ...{ kind: 'recycle', entry: 'file', from: key, to: `${BIN}/${ownerId}/${recycleId}` },
        ...{ fromPath: path, path, etag, replaced: undefined, bytes: entry.size },
        ...{ recycleId, isWholeItem: true, held: [folder.key] },
      }
      await withAppErrors(() => files.steps.take({ step, store, held }, () => moveToBin({ store, key }, step.to)))
    })
  }
}

/** The row of what came to be in the bin. */
export function bookRecycled({ files }: Pick<RecycleDeps, 'files'>): BookStep {
  return (tx, { recycleId: id, userId, spaceId, groupId, fromPath, to, entry, bytes }) =>
    recycleStore.insert(tx, {
      id,
      owner_id: userId,
      space_id: spaceId,
      group_id: groupId,
      path: fromPath,
      storage_key: to,
      is_folder: entry === 'folder' ? 1 : 0,
      size: bytes,
      deleted_at: files.clock.now(),
      purging: 0,
    })
}

async function moveToBin({ store, key }: Pick<Location, 'store' | 'key'>, binKey: string): Promise<Entry> {
  try {
    return await store.move(key, binKey, { conflict: 'fail' })
  } catch (thrown) {
    // The bin of an account appears with its first use; a missing entry fails again below.
    if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw thrown
    await store.ensureFolder(binKey.slice(0, binKey.lastIndexOf('/')))
    return store.move(key, binKey, { conflict: 'fail' })
  }
}

/** What the caller has in the bin of a place, newest first. What rules hide there is hidden here. */
export async function listRecycled(
  deps: RecycleDeps,
  ctx: UserCtx,
  request: RecycledRequest,
): Promise<OperationReply<'recycled'>> {
  const { spaceId, groupId, limit } = request
  const keyword = (request.keyword ?? '').toLowerCase()
  const { keptDays } = deps
  const root = await deps.files.access.open(ctx, placeOf(request), '/', 'list')
  const mounts = new Set(accountOf(ctx.principal).mounts?.map(({ id }) => groupOfMount(id)))
  const items: OperationReply<'recycled'>['items'] = []
  for (let before = request.cursor ?? undefined; ;) {
    const rows = await recycleStore.page(deps.db, {
      ownerId: ctx.principal.id,
      place: { spaceId, groupId },
      before,
      limit: LOOKED_AT,
    })
    for (const row of rows) {
      // What is left of a virtual directory that was removed goes by time alone.
      const isOpen = row.group_id >= 0 || mounts.has(row.group_id)
      const isWanted = isOpen && nameOf(row).toLowerCase().includes(keyword)
      if (isWanted && root.showsPath(row.path, row.is_folder === 1)) items.push(present(row))
      if (items.length === limit) return { items, next: row.id, keptDays }
      before = row.id
    }
    if (rows.length < LOOKED_AT) return { items, next: null, keptDays }
  }
}

interface RecycledRequest extends PlaceIds {
  readonly cursor?: string | null | undefined
  readonly limit: number
  readonly keyword?: string | null | undefined
}

/** Rows of one query. A search looks at many of which few are wanted. */
const LOOKED_AT = 500

function present(row: RecycleRow): OperationReply<'recycled'>['items'][number] {
  return {
    recycleId: row.id,
    name: nameOf(row),
    path: row.path,
    file_type: row.is_folder === 1 ? 'Folder' : 'File',
    size: row.size,
    deletedAt: Math.floor(row.deleted_at / 1000),
  }
}

function recycledBy(job: AnyJob): readonly string[] {
  return isFileJob(job) ? (job.progress.recycleIds ?? []) : []
}
