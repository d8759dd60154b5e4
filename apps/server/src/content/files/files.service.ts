import type { FileItem, OperationReply } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import {
  find,
  folderOf,
  nameOf,
  newName,
  newWithin,
  placeOf,
  rawNames,
  requireEntry,
  requireFolder,
  requireNothingHidden,
  type Found,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import type { FilesDeps } from './files.deps.ts'
import { requireSeen, seenAs } from './jobs/seen.ts'
import { actorOf, addFolder, replacedBy, stepOf } from './steps/index.ts'

/**
 * Creates a folder.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, NAME_INVALID, NAME_CASE_CLASH, PERMISSION_DENIED
 */
export async function makeFolder(
  deps: FilesDeps,
  ctx: UserCtx,
  request: PlaceIds & { readonly folder: string; readonly name: string },
): Promise<OperationReply<'mkdir'>> {
  const wanted = await deps.access.open(ctx, placeOf(request), request.folder, 'makeFolder')
  const name = newName(request.name)
  const folder = await requireFolder(wanted)
  const made = newWithin(folder, { name, kind: 'folder' })
  await deps.locks.run(folder, async () => {
    await requireNoClash(deps, made)
    await addFolder(deps, actorOf(ctx), made)
  })
  return { path: made.path }
}

export interface RenameRequest extends PlaceIds {
  readonly path: string
  readonly oldName: string
  readonly newName: string
  /** A file takes the place of the file that has the name. */
  readonly replace?: boolean
}

/**
 * Renames an entry within its folder. The same name succeeds without a change.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, NAME_INVALID, NAME_CASE_CLASH, PERMISSION_DENIED
 */
export async function rename(deps: FilesDeps, ctx: UserCtx, request: RenameRequest): Promise<OperationReply<'rename'>> {
  if (rawNames(`/${request.oldName}`).length !== 1) throw new AppError('NAME_INVALID', { fault: 'forbidden-character' })
  const wanted = await deps.access.open(ctx, placeOf(request), `${request.path}/${request.oldName}`, 'rename')
  const name = newName(request.newName)
  const found = await requireEntry(wanted)
  const { location: from } = found
  const folder = folderOf(from)
  const to = newWithin(folder, { name, kind: found.entry.kind })
  if (to.key === from.key) return { path: to.path }
  await deps.locks.run(folder, async (held) => {
    const { entry } = await requireEntry(from)
    requireSeen(entry, seenAs(found.entry))
    if (entry.kind === 'folder') await requireNothingHidden(from, { signal: ctx.signal, to })
    await requireNoClash(deps, to, from)
    const replaced = request.replace === true ? await replaceable(entry, to) : undefined
    const kind = replaced === undefined ? 'rename' : 'move'
    const step = stepOf(actorOf(ctx), { kind, source: { location: from, entry }, to, replaced })
    const { store } = folder
    const conflict = replaced === undefined ? 'fail' : 'replace'
    await withAppErrors(() => deps.steps.take({ step, store, held }, () => store.move(from.key, to.key, { conflict })))
  })
  return { path: to.path }
}

/** The file whose place is taken. @throws AppError PATH_EXISTS, PERMISSION_DENIED */
async function replaceable(entry: Entry, to: Location) {
  const taken = await withAppErrors(() => to.store.stat(to.key))
  if (taken === undefined) return undefined
  if (entry.kind !== 'file' || taken.kind !== 'file') throw new AppError('PATH_EXISTS', { name: nameOf(to) })
  to.require('replace')
  return replacedBy(to)
}

/**
 * Refuses a name that another entry of the folder has in other case or in another form of its accents. Call it while
 * holding the folder's lock, and before the entry is made.
 * @param except the entry that is being renamed: `report` may become `Report`
 * @throws AppError NAME_CASE_CLASH, PATH_EXISTS
 */
export async function requireNoClash(deps: FilesDeps, wanted: Location, except?: Location): Promise<void> {
  const folder = folderOf(wanted)
  const name = nameOf(wanted)
  const twin = await clashOf(deps, folder, name)
  // The same name on its way: the storage decides who was first.
  if (twin === undefined || twin === name || `${folder.key}/${twin}` === except?.key) return
  // Another form of the same accents is the same name to a person.
  throw new AppError(twin.normalize('NFC') === name ? 'PATH_EXISTS' : 'NAME_CASE_CLASH', { name: twin })
}

/**
 * A name in the folder, or on its way into it, that differs from `name` only in case or in the form of its accents; `name`
 * itself when that is on its way. Call it while holding the folder.
 */
export async function clashOf(
  deps: Pick<FilesDeps, 'indexes' | 'locks'>,
  folder: Location,
  name: string,
): Promise<string | undefined> {
  return (await deps.locks.claimedIn(folder)).like(name) ?? (await deps.indexes.clashOf(folder, name))
}

/** Which of the paths are taken, with size and time. Unknown ones are left out. */
export async function exists(
  deps: FilesDeps,
  ctx: UserCtx,
  request: PlaceIds & { readonly paths: readonly string[] },
): Promise<OperationReply<'exists'>> {
  const items: FileItem[] = []
  for (const path of request.paths) {
    ctx.signal.throwIfAborted()
    const found = await unlessMissing(async () => find(await deps.access.open(ctx, placeOf(request), path, 'list')))
    if (found) items.push(itemOf(found.location, found.entry))
  }
  return { items }
}

/** What is hidden is as good as missing. */
async function unlessMissing(look: () => Promise<Found | undefined>): Promise<Found | undefined> {
  try {
    return await look()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') return undefined
    throw thrown
  }
}

export function itemOf(location: Location, entry: Entry): FileItem {
  return {
    name: nameOf(location),
    file_type: location.isMount ? 'VirtualFolder' : entry.kind === 'folder' ? 'Folder' : 'File',
    size: entry.size,
    time: Math.floor(entry.modifiedMs / 1000),
    path: location.path,
  }
}
