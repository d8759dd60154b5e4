import { withAppErrors } from '../../foundation/storages/index.ts'
import { actorOf, addFolder, numbered, requireNoClash, type Actor, type FilesDeps } from '../files/index.ts'
import {
  folderOf,
  nameOf,
  newName,
  newWithin,
  pathNames,
  placeFor,
  requireFolder,
  within,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import type { UploaderCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'

export interface WantedTarget extends PlaceIds {
  readonly folder: string
  readonly filename: string
  /** Below `folder`, the name last; overrides `filename`. */
  readonly relativePath?: string | undefined
}

/** Who uploads, and by which door. */
type Uploader = Pick<UploaderCtx, 'principal' | 'door' | 'ownerId'>

/**
 * Where the upload shall appear. The folder must exist; what `relativePath` names below it is made.
 * @throws AppError PERMISSION_DENIED, NO_SPACE, NAME_INVALID, PATH_TOO_LONG, PATH_NOT_FOUND, PATH_IS_FILE
 */
export async function resolveTarget(files: FilesDeps, ctx: Uploader, wanted: WantedTarget): Promise<Location> {
  return targetResolver(files, ctx, wanted)(wanted)
}

type NamedTarget = Pick<WantedTarget, 'filename' | 'relativePath'>
type BaseFolder = PlaceIds & { readonly folder: string }

/** The same for many files below one folder: each folder on the way is looked at once. */
export function targetResolver(files: FilesDeps, ctx: Uploader, wanted: BaseFolder) {
  const folderAt = folderResolver(files, ctx, wanted)
  return async (file: NamedTarget): Promise<Location> => {
    const names = namesBelow(file)
    // The length of the whole path is checked in the one place that knows the limit, before anything is made.
    pathNames([wanted.folder, ...names].join('/'))
    return newWithin(await folderAt(names.slice(0, -1)), { name: names.at(-1) ?? '', kind: 'file' })
  }
}

/** Folders below one that must exist; those that are missing are made, and each is looked at once. */
export function folderResolver(files: FilesDeps, ctx: Uploader, wanted: BaseFolder) {
  const folders = new Map<string, Promise<Location>>()
  async function make(names: readonly string[]): Promise<Location> {
    const folder = await requireFolder(
      await files.access.open(ctx, placeFor(ctx.principal, wanted), wanted.folder, 'uploadFile'),
    )
    const chain: Location[] = []
    for (const name of names) chain.push(within(chain.at(-1) ?? folder, name))
    await makeFolders(files, actorOf(ctx), chain)
    return chain.at(-1) ?? folder
  }
  return (names: readonly string[]): Promise<Location> => {
    const key = names.join('/')
    const folder = folders.get(key) ?? make(names)
    folders.set(key, folder)
    return folder
  }
}

/** The names from the folder down to the file, each checked. @throws AppError NAME_INVALID */
function namesBelow({ filename, relativePath }: NamedTarget): string[] {
  const hasPath = relativePath !== undefined && relativePath !== ''
  return hasPath ? relativePath.split('/').map(newName) : [newName(filename)]
}

async function makeFolders(files: FilesDeps, actor: Actor, folders: readonly Location[]): Promise<void> {
  const deepest = folders.at(-1)
  if (deepest === undefined) return
  await withAppErrors(async () => {
    const taken = await deepest.store.stat(deepest.key)
    if (taken?.kind === 'folder') return
    if (taken !== undefined) throw new AppError('PATH_IS_FILE')
    for (const folder of folders) await makeFolder(files, actor, folder)
  })
}

/** @throws AppError PERMISSION_DENIED, NAME_CASE_CLASH when another folder has this name in other case */
async function makeFolder(files: FilesDeps, actor: Actor, folder: Location): Promise<void> {
  await files.locks.run(folderOf(folder), async () => {
    const taken = await folder.store.stat(folder.key)
    if (taken?.kind === 'folder') return
    if (taken !== undefined) throw new AppError('PATH_IS_FILE')
    newWithin(folderOf(folder), { name: nameOf(folder), kind: 'folder', need: 'uploadFolder' })
    await requireNoClash(files, folder)
    await addFolder(files, actor, folder)
  })
}

/** A new file beside another one. */
export function beside(location: Location, name: string): Location {
  return newWithin(folderOf(location), { name, kind: 'file' })
}

/** `report.pdf`, `report (1).pdf`, `report (2).pdf`, ... */
export function* keepBothNames(name: string): Generator<string, never, void> {
  yield name
  for (let number = 1; ; number++) yield numbered(name, number)
}
