import {
  find,
  newName,
  newWithin,
  placeOf,
  requireFolder,
  within,
  type Found,
  type Location,
  type Need,
} from '../../content/access/index.ts'
import type { FileLock } from '../../content/file-locks/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { Refusal } from './webdav.answers.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { namesOf } from './webdav.paths.ts'
import { nodeAt, type InPlace, type Node } from './webdav.tree.ts'

/** A request on its way through the protocol. */
export interface Asked {
  readonly ctx: UserCtx
  readonly names: readonly string[]
  readonly node: Node
}

/** @throws AppError PATH_NOT_FOUND */
export async function askedFor(deps: Pick<WebdavDeps, 'db'>, ctx: UserCtx, rest: string): Promise<Asked> {
  const names = namesOf(rest)
  return { ctx, names, node: await nodeAt(deps.db, ctx, names) }
}

/** @throws AppError PERMISSION_DENIED for a folder that only leads to places */
export function requirePlace({ node }: Pick<Asked, 'node'>): InPlace {
  if (node.kind === 'virtual') throw new AppError('PERMISSION_DENIED')
  return node
}

/** @throws AppError PERMISSION_DENIED for the root of a place, which stays what it is */
export function requireEntryNode(asked: Pick<Asked, 'node'>): InPlace {
  const node = requirePlace(asked)
  if (node.below.length === 0) throw new AppError('PERMISSION_DENIED')
  return node
}

/**
 * What is at a node, under a need. The root of a place is made when it is first used.
 * @throws AppError PATH_NOT_FOUND for what is hidden, PERMISSION_DENIED
 */
export async function foundAt(
  { files }: Pick<WebdavDeps, 'files'>,
  ctx: UserCtx,
  { ids, path }: InPlace,
  need: Need,
): Promise<Found | undefined> {
  const location = await files.access.open(ctx, placeOf(ids), path, need)
  if (path === '/') await requireFolder(location)
  return find(location)
}

/** A name that is written to, with its folder. */
export interface Target {
  readonly node: InPlace
  /** Opened for uploads, in the spelling of the storage. */
  readonly folder: Location
  readonly name: string
  /** What has the name now. */
  readonly found: Found | undefined
  /** Where it is, or would be. */
  readonly location: Location
}

/**
 * A name that may be written to.
 * @throws AppError PERMISSION_DENIED, NAME_INVALID; Refusal 409 without the folder
 */
export async function targetAt(
  { files }: Pick<WebdavDeps, 'files'>,
  ctx: UserCtx,
  node: InPlace,
  need: Need = 'uploadFile',
): Promise<Target> {
  const folder = await folderAbove({ files }, ctx, { node, need })
  const sent = node.below.at(-1) ?? ''
  const existing = await hiddenAsMissing(async () => find(within(folder, sent.normalize('NFC'))))
  if (existing !== undefined) return { node, folder, name: sent, found: existing, location: existing.location }
  const name = newName(sent)
  return { node, folder, name, found: undefined, location: newWithin(folder, { name, kind: 'folder' }) }
}

/** @throws AppError PERMISSION_DENIED; Refusal 409 when it is not there */
async function folderAbove(
  { files }: Pick<WebdavDeps, 'files'>,
  ctx: UserCtx,
  { node, need }: { readonly node: InPlace; readonly need: Need },
): Promise<Location> {
  const above = `/${node.below.slice(0, -1).join('/')}`
  try {
    return await requireFolder(await files.access.open(ctx, placeOf(node.ids), above, need))
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !['PATH_NOT_FOUND', 'PATH_IS_FILE'].includes(thrown.code)) throw thrown
    throw new Refusal(409, 'PATH_NOT_FOUND')
  }
}

/** What is hidden is as good as missing: the rules for new names refuse it then. */
async function hiddenAsMissing(look: () => Promise<Found | undefined>): Promise<Found | undefined> {
  try {
    return await look()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') return undefined
    throw thrown
  }
}

/**
 * A name that nothing has, and that the caller locked. It is an empty file to whoever locked it, as the protocol wants, and nothing to
 * everyone else: no file is made before there is something to write.
 */
export async function placeholderAt(
  { files }: Pick<WebdavDeps, 'files'>,
  { principal }: UserCtx,
  location: Location,
): Promise<FileLock | undefined> {
  const { spaceId } = location.place
  if (!(await files.fileLocks.hasAny(spaceId))) return undefined
  const locks = await files.fileLocks.on({ spaceId, key: location.key })
  return locks.find(({ key, userId }) => key === location.key && userId === principal.id)
}

/** The same for all names of a folder. A client that does not find them in a list forgets what it is about to write. */
export async function placeholdersIn(
  { files }: Pick<WebdavDeps, 'files'>,
  { principal }: UserCtx,
  folder: Location,
): Promise<FileLock[]> {
  const locks = await files.fileLocks.about(folder.place.spaceId, { key: folder.key, what: 'tree' })
  const own = locks.filter(({ key, userId }) => {
    const name = key.slice(folder.key.length + 1)
    return (
      userId === principal.id && key === `${folder.key}/${name}` && !name.includes('/') && folder.shows(name, false)
    )
  })
  const kept: FileLock[] = []
  for (const lock of own) if ((await withAppErrors(() => folder.store.stat(lock.key))) === undefined) kept.push(lock)
  return kept
}
