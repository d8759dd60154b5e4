import type { Entry } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { nameOf, storedAs, type Location } from './location.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'

/** An existing entry with the key it really has on the storage. */
export interface Found {
  readonly location: Location
  readonly entry: Entry
}

/**
 * Finds what a path names, in the spelling of the storage: as sent, in NFC or in NFD, name by name.
 * @throws AppError as storageError() makes them
 */
export async function find(location: Location): Promise<Found | undefined> {
  const found = await withAppErrors(() => look(location))
  // Only folders lead the way to something.
  return found?.entry.kind === 'file' && location.isWayOnly ? undefined : found
}

async function look(location: Location): Promise<Found | undefined> {
  // A virtual directory is there as long as it is listed.
  if (location.isMount) await ensureRoot(location)
  if (location.spelled === undefined) {
    const entry = await location.store.stat(location.key)
    if (entry) return { location, entry }
    // Only names beyond ASCII have more than one form.
    if (/^[\u0000-\u007f]*$/.test(location.path)) return undefined
  }
  return lookByForms(location)
}

async function lookByForms(location: Location): Promise<Found | undefined> {
  const { store, rootKey, path, rootPath, spelled } = location
  if (location.isMount) return undefined
  // The name of a virtual directory is none of its storage.
  const above = rootPath === '/' ? 0 : 1
  let key = rootKey
  let entry: Entry | undefined
  for (const [index, name] of path
    .split('/')
    .slice(1 + above)
    .entries()) {
    const forms = new Set([spelled?.[index + above] ?? name, name, name.normalize('NFD')])
    entry = undefined
    for (const form of forms) {
      entry = await store.stat(`${key}/${form}`)
      if (entry) break
    }
    if (!entry) return undefined
    key = entry.key
  }
  return entry && { location: storedAs(location, key), entry }
}

/** @throws AppError PATH_NOT_FOUND */
export async function requireEntry(location: Location): Promise<Found> {
  const found = await find(location)
  if (!found) throw new AppError('PATH_NOT_FOUND', { name: nameOf(location) })
  return found
}

/**
 * An existing folder. The root of a place is made when it is first used.
 * @throws AppError PATH_NOT_FOUND, PATH_IS_FILE
 */
export async function requireFolder(location: Location): Promise<Location> {
  if (location.isRoot) {
    await ensureRoot(location)
    return location
  }
  const found = await requireEntry(location)
  if (found.entry.kind !== 'folder') throw new AppError('PATH_IS_FILE')
  return found.location
}

/** The folder of a place appears with its first use. */
async function ensureRoot({ store, rootKey }: Location): Promise<void> {
  await withAppErrors(async () => {
    if (!(await store.stat(rootKey))) await store.ensureFolder(rootKey)
  })
}
