import { hasPermission, LIMITS, nameFault, normaliseName, type Permission } from '@godwit/contract'
import { unreachable } from '../listings/index.ts'
import type { Entry, ObjectStore } from '@godwit/storage'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { withAppErrors, type Storages } from '../../foundation/storages/index.ts'

import { accountOf, type Account } from '../../identity/principals/index.ts'

/** Where a user's path counts from. Group 0 is the personal files. */
export interface Place {
  readonly spaceId: number
  readonly groupId: number
}

/** A user's path after resolution. Only this module makes keys from user text. */
export interface Location {
  readonly store: ObjectStore
  /** Key inside the store; `rootKey` itself or below it. */
  readonly key: string
  /** Key of the place's root: the account's home or the group's folder. */
  readonly rootKey: string
  /** Canonical user path: `/`, `/reports/a.pdf`. */
  readonly path: string
  readonly place: Place
  /** The names as they were sent, when that is not NFC: a disk may hold them in another form. */
  readonly spelled?: readonly string[]
}

/**
 * Splits a user's path into names, each in NFC. Works the same however often it is applied.
 * @throws AppError NAME_INVALID naming the fault, PATH_TOO_LONG
 */
export function pathNames(text: string): string[] {
  const names = rawNames(text).map(normaliseName)
  for (const name of names) {
    const fault = unreachable(name)
    if (fault !== undefined) throw new AppError('NAME_INVALID', { fault })
  }
  if (Buffer.byteLength(names.join('/')) > LIMITS.pathMaxBytes) throw new AppError('PATH_TOO_LONG')
  return names
}

function rawNames(text: string): string[] {
  if (!text.startsWith('/')) throw new AppError('PARAMETER_INVALID', { field: 'path' })
  return text.split('/').filter((name) => name !== '')
}

/**
 * The NFC form of a name that is to be created.
 * @throws AppError NAME_INVALID naming the fault
 */
export function newName(text: string): string {
  const name = normaliseName(text)
  const fault = nameFault(name)
  if (fault !== undefined) throw new AppError('NAME_INVALID', { fault })
  return name
}

/**
 * Resolves a user's path inside a place.
 * @throws AppError NO_SPACE, PERMISSION_DENIED, NAME_INVALID, PATH_TOO_LONG
 */
export function locate(storages: Storages, principal: AccountPrincipal, place: Place, text: string): Location {
  // Groups come with their own feature; until then only the personal files exist.
  if (place.groupId !== LIMITS.defaultGroupId) throw new AppError('PERMISSION_DENIED')
  const store = accountOf(principal).spaceIds.includes(place.spaceId) ? storages.ofSpace(place.spaceId) : undefined
  if (!store) throw new AppError('NO_SPACE')
  const names = pathNames(text)
  const rootKey = homeIn(accountOf(principal), place.spaceId)
  const location = { store, rootKey, key: [rootKey, ...names].join('/'), path: `/${names.join('/')}`, place }
  const spelled = rawNames(text)
  return spelled.every((name, index) => name === names[index]) ? location : { ...location, spelled }
}

/** The first space keeps personal folders at the top of its storage, every other one below a folder of its own. */
function homeIn({ home }: Account, spaceId: number): string {
  return spaceId === LIMITS.defaultSpaceId ? home : `spaces/${spaceId}/${home}`
}

/** The entry `name` of a folder. The name must be one that may be reached. */
export function within(folder: Location, name: string): Location {
  const { store, rootKey, place } = folder
  const path = folder.path === '/' ? `/${name}` : `${folder.path}/${name}`
  return { store, rootKey, place, key: `${folder.key}/${name}`, path }
}

/** The folder of an entry. @throws AppError PARAMETER_INVALID for a root, which has none */
export function folderOf(location: Location): Location {
  if (location.path === '/') throw new AppError('PARAMETER_INVALID', { field: 'path' })
  const { store, rootKey, place, key, path } = location
  return {
    store,
    rootKey,
    place,
    key: key.slice(0, key.lastIndexOf('/')),
    path: path.slice(0, path.lastIndexOf('/')) || '/',
  }
}

/** Own name of a location; '' for a root. */
export function nameOf(location: Location): string {
  return location.path.slice(location.path.lastIndexOf('/') + 1)
}

/** Whether `location` is `folder` itself or lies below it. */
export function isWithin(location: Location, folder: Location): boolean {
  return location.store === folder.store && (location.key === folder.key || location.key.startsWith(`${folder.key}/`))
}

/** @throws AppError PERMISSION_DENIED */
export function requirePermission(principal: AccountPrincipal, permission: Permission): void {
  if (!hasPermission(accountOf(principal).permission, permission))
    throw new AppError('PERMISSION_DENIED', { permission })
}

/** An existing entry with the key it really has on the storage. */
export interface Found {
  readonly location: Location
  readonly entry: Entry
}

/**
 * Finds what a path names, in the spelling of the storage: as sent, in NFC or in NFD, name by name.
 * @throws AppError PATH_NOT_FOUND and what storageError() makes
 */
export async function find(location: Location): Promise<Found | undefined> {
  return withAppErrors(async () => {
    const { store, spelled } = location
    if (spelled === undefined) {
      const entry = await store.stat(location.key)
      if (entry) return { location, entry }
      // Only names beyond ASCII have more than one form.
      if (/^[\u0000-\u007f]*$/.test(location.path)) return undefined
    }
    return findByForms(location)
  })
}

async function findByForms(location: Location): Promise<Found | undefined> {
  const { store, rootKey, path, place } = location
  const names = path.split('/').filter((name) => name !== '')
  let key = rootKey
  let entry: Entry | undefined
  for (const [index, name] of names.entries()) {
    const forms = new Set([location.spelled?.[index] ?? name, name, name.normalize('NFD')])
    entry = undefined
    for (const form of forms) {
      entry = await store.stat(`${key}/${form}`)
      if (entry) break
    }
    if (!entry) return undefined
    key = entry.key
  }
  return entry && { location: { store, rootKey, path, place, key }, entry }
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
  if (location.path === '/') {
    await ensureRoot(location)
    return location
  }
  const found = await requireEntry(location)
  if (found.entry.kind !== 'folder') throw new AppError('PATH_IS_FILE')
  return found.location
}

/** The folder of a place appears with its first use. */
export async function ensureRoot({ store, rootKey }: Location): Promise<void> {
  await withAppErrors(async () => {
    if (!(await store.stat(rootKey))) await store.ensureFolder(rootKey)
  })
}
