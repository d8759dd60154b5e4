import type { FileItem, OperationReply } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { noteChange, noteMove } from './files.changes.ts'
import type { FilesDeps } from './files.deps.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import {
  find,
  folderOf,
  locate,
  nameOf,
  newName,
  requireEntry,
  requireFolder,
  requirePermission,
  within,
  type Location,
  type Place,
} from './files.paths.ts'

/**
 * Creates a folder.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, NAME_INVALID, NAME_CASE_CLASH, PERMISSION_DENIED
 */
export async function makeFolder(
  deps: FilesDeps,
  ctx: UserCtx,
  request: Place & { readonly folder: string; readonly name: string },
): Promise<OperationReply<'mkdir'>> {
  requirePermission(ctx.principal, 'mkdir')
  const name = newName(request.name)
  const folder = await requireFolder(locate(deps.storages, ctx.principal, request, request.folder))
  const made = within(folder, name)
  await deps.locks.run(folder, async () => {
    await requireNoClash(deps, made)
    await withAppErrors(() => folder.store.createFolder(made.key))
    // While the folder is still held: the next one to ask for a name must already know this one.
    noteChange(deps, made, 'folder')
  })
  return { path: made.path }
}

/**
 * Renames an entry within its folder. The same name succeeds without a change.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, NAME_INVALID, NAME_CASE_CLASH, PERMISSION_DENIED
 */
export async function rename(
  deps: FilesDeps,
  ctx: UserCtx,
  request: Place & { readonly path: string; readonly oldName: string; readonly newName: string },
): Promise<OperationReply<'rename'>> {
  requirePermission(ctx.principal, 'rename')
  const name = newName(request.newName)
  const folder = await requireFolder(locate(deps.storages, ctx.principal, request, request.path))
  const { location: from } = await requireEntry(
    locate(deps.storages, ctx.principal, request, `${folder.path}/${request.oldName}`),
  )
  if (folderOf(from).key !== folder.key) throw new AppError('NAME_INVALID', { fault: 'forbidden-character' })
  const to = within(folder, name)
  if (to.key === from.key) return { path: to.path }
  await deps.locks.run(folder, async () => {
    await requireNoClash(deps, to, from)
    const kind = await withAppErrors(async () => (await folder.store.move(from.key, to.key, { conflict: 'fail' })).kind)
    await noteMove(deps, from, to)
    noteChange(deps, from, 'gone')
    noteChange(deps, to, kind)
  })
  return { path: to.path }
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
  request: Place & { readonly paths: readonly string[] },
): Promise<OperationReply<'exists'>> {
  requirePermission(ctx.principal, 'list')
  const items: FileItem[] = []
  for (const path of request.paths) {
    ctx.signal.throwIfAborted()
    const found = await find(locate(deps.storages, ctx.principal, request, path))
    if (found) items.push(itemOf(found.location, found.entry))
  }
  return { items }
}

export function itemOf(location: Location, entry: Entry): FileItem {
  return {
    name: nameOf(location),
    file_type: entry.kind === 'folder' ? 'Folder' : 'File',
    size: entry.size,
    time: Math.floor(entry.modifiedMs / 1000),
    path: location.path,
  }
}
