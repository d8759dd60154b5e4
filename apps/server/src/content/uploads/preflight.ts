import { setImmediate as breathe } from 'node:timers/promises'
import { errorSpec, type OperationReply } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  newName,
  newWithin,
  pathNames,
  placeOf,
  requireFolder,
  within,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import { type IntakeApi, requireSize } from '../intake/index.ts'
import { bucketOf } from '../quotas/index.ts'

type Deps = IntakeApi['deps']
type Reply = OperationReply<'preflight'>
type Problem = Reply['problems'][number]
type CheckDeps = Pick<Deps, 'files' | 'quotas' | 'limits'>

/** Folders of one call, those on the way included. No drop of 10,000 files needs more; a body made to hurt would. */
const FOLDERS_MAX = 50_000
/** Files that are checked before others get their turn. */
const SLICE_FILES = 200
const STATS_AT_ONCE = 32
const TAKEN = errorSpec('PATH_EXISTS')

interface PreflightRequest extends PlaceIds {
  readonly folder: string
  /** Where each file goes below the folder. */
  readonly paths: readonly string[]
  readonly sizes: readonly number[]
  readonly totalBytes: number
}

/**
 * Checks each file of a drop as its upload would be, and makes nothing. What it finds may change until the upload, which
 * checks again.
 * @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND, PATH_IS_FILE, PARAMETER_INVALID
 */
export async function preflight(deps: CheckDeps, ctx: UserCtx, wanted: PreflightRequest): Promise<Reply> {
  const { paths, sizes } = wanted
  if (paths.length !== sizes.length) throw new AppError('PARAMETER_INVALID', { field: 'sizes' })
  const { access } = deps.files
  const folder = await requireFolder(await access.open(ctx, placeOf(wanted), wanted.folder, 'uploadFile'))
  const look = folderLook(deps, folder)
  const problems: Problem[] = []
  const taken: Taken[] = []
  for (const [index, path] of paths.entries()) {
    ctx.signal.throwIfAborted()
    if (index % SLICE_FILES === SLICE_FILES - 1) await breathe()
    await noting(problems, index, async () => {
      requireSize(deps.limits, sizes[index] ?? 0)
      const names = path.split('/').map(newName)
      pathNames([folder.path, ...names].join('/'))
      const target = await freeOrTaken(await look(names.slice(0, -1)), names.at(-1) ?? '')
      if (target !== undefined) taken.push({ index, target })
    })
  }
  await describeTaken(deps, ctx, { taken, problems })
  return {
    problems: problems.toSorted((a, b) => a.index - b.index),
    ...(await roomIn({ deps, ctx, folder }, wanted.totalBytes)),
  }
}

/** Runs a check of one file; what refuses it becomes its problem, and PARAMETER_INVALID is the fault of the whole call. */
async function noting(problems: Problem[], index: number, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === 'PARAMETER_INVALID') throw thrown
    problems.push({ index, code: thrown.wire, data: { ...thrown.details } })
  }
}

interface Taken {
  readonly index: number
  readonly target: Location
}

/**
 * @returns the target when its name is taken
 * @throws AppError PERMISSION_DENIED, FILE_TYPE_NOT_ALLOWED, NAME_CASE_CLASH
 */
async function freeOrTaken({ location, names }: Found, name: string): Promise<Location | undefined> {
  const target = newWithin(location, { name, kind: 'file' })
  const known = await names?.()
  if (known === undefined) return undefined
  if (known.has(name)) return target
  known.requireNoClash(name)
  return undefined
}

/** What has the names, and whether a client holds a lock on it. */
async function describeTaken(
  { files }: CheckDeps,
  { principal, door, signal }: UserCtx,
  { taken, problems }: { readonly taken: readonly Taken[]; readonly problems: Problem[] },
): Promise<void> {
  const [first] = taken
  if (first === undefined) return
  const who = { userId: principal.id, door }
  const { spaceId } = first.target.place
  const change = ({ target: { key } }: Taken) => ({ key, what: 'content' }) as const
  // Most sites have no lock at all, which one query shows.
  const isLocked = await files.fileLocks.require(spaceId, taken.map(change), who).then(
    () => false,
    () => true,
  )
  for (let at = 0; at < taken.length; at += STATS_AT_ONCE) {
    signal.throwIfAborted()
    const describe = async (each: Taken): Promise<void> => {
      if (isLocked) await files.fileLocks.require(spaceId, [change(each)], who)
      const { store, key } = each.target
      const entry = await withAppErrors(() => store.stat(key))
      if (entry === undefined) return // It went away meanwhile.
      problems.push({ index: each.index, code: TAKEN.wire, data: {}, ...existingOf(each.target, entry) })
    }
    const slice = taken.slice(at, at + STATS_AT_ONCE)
    await Promise.all(slice.map((each) => noting(problems, each.index, () => describe(each))))
  }
}

/** Who may bring files and see none learns that the name is taken, as from the upload itself, and no more. */
function existingOf(target: Location, { kind, size, modifiedMs }: Entry): Pick<Problem, 'existing'> {
  if (!target.permits('list')) return {}
  return { existing: { isFolder: kind === 'folder', size, time: Math.floor(modifiedMs / 1000) } }
}

interface Names {
  readonly has: (name: string) => boolean
  /** @throws AppError NAME_CASE_CLASH */
  readonly requireNoClash: (name: string) => void
}

interface Found {
  readonly location: Location
  /** What is in the folder, read once; absent while there is no such folder. */
  readonly names?: () => Promise<Names>
}

interface Node {
  readonly found: Promise<Found>
  readonly below: Map<string, Node>
}

/** Looks at each folder of the drop once; below one that is not there nothing is looked for. */
function folderLook(deps: CheckDeps, folder: Location) {
  const root: Node = { found: Promise.resolve(existingFolder(deps, folder)), below: new Map() }
  let count = 0
  return async (names: readonly string[]): Promise<Found> => {
    let node = root
    for (const name of names) {
      const known = node.below.get(name)
      if (known === undefined && (count += 1) > FOLDERS_MAX) throw new AppError('PARAMETER_INVALID', { field: 'paths' })
      const next = known ?? { found: foundIn(deps, await node.found, name), below: new Map<string, Node>() }
      node.below.set(name, next)
      // Each file below a refused folder has the same problem.
      await next.found
      node = next
    }
    return node.found
  }
}

async function foundIn(deps: CheckDeps, { location, names }: Found, name: string): Promise<Found> {
  const folder = within(location, name)
  const taken = names && (await withAppErrors(() => folder.store.stat(folder.key)))
  if (taken?.kind === 'folder') return existingFolder(deps, folder)
  if (taken !== undefined) throw new AppError('PATH_IS_FILE')
  newWithin(location, { name, kind: 'folder', need: 'uploadFolder' })
  const known = await names?.()
  known?.requireNoClash(name)
  return { location: folder }
}

function existingFolder({ files }: CheckDeps, location: Location): Found {
  let read: Promise<Names> | undefined
  const names = async (): Promise<Names> => {
    const [index, claimed] = await Promise.all([files.indexes.of(location), files.locks.claimedIn(location)])
    return {
      has: (name) => index.indexOf({ name, isFolder: false }) >= 0 || index.indexOf({ name, isFolder: true }) >= 0,
      requireNoClash(name) {
        const twin = claimed.like(name) ?? index.twinsOf(name)[0]
        if (twin !== undefined && twin !== name) throw new AppError('NAME_CASE_CLASH', { name: twin })
      },
    }
  }
  return { location, names: () => (read ??= names()) }
}

async function roomIn(
  { deps, ctx, folder }: { readonly deps: Pick<Deps, 'quotas'>; readonly ctx: UserCtx; readonly folder: Location },
  totalBytes: number,
): Promise<Pick<Reply, 'quotaLeftBytes' | 'isStorageFull'>> {
  const bucket = bucketOf({ userId: ctx.principal.id, groupId: folder.place.groupId })
  const { usedBytes, quotaBytes } = await deps.quotas.usageOf(bucket)
  const space = await withAppErrors(() => folder.store.space())
  return {
    quotaLeftBytes: quotaBytes > 0 ? Math.max(0, quotaBytes - usedBytes) : null,
    isStorageFull: space !== undefined && space.freeBytes < totalBytes,
  }
}
