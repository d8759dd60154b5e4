import {
  LIMITS,
  type AdminStorage,
  type AdminStorageChange,
  type AdminStorageDetail,
  type NewAdminStorage,
  type StorageKind,
  type StorageProof,
  type StorageSettings,
  type TriedAdminStorage,
} from '@godwit/contract'
import { presentCleaning } from './storages.cleaning.ts'
import { allSpaces } from '../../content/spaces/index.ts'
import { editConflict } from '../../foundation/operation-log/index.ts'
import {
  addStorage,
  editStorage,
  listStorages,
  removeStorage,
  storagesStore,
  testStorage,
  tryStorage,
  type ChangedStorage,
  type RunningStorages,
  type StorageAdminDeps,
  type StorageInfo,
  type StorageRow,
} from '../../foundation/storages/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { requireNoMoveTo } from '../relocations/index.ts'
import type { ConsoleCall } from './console.types.ts'

export interface ConsoleStoragesDeps extends StorageAdminDeps {
  readonly storages: RunningStorages
}

/** Keepers of files that are named. */
const KEEPERS_SHOWN = 5

/** Storages as they stand; no secret is among this. */
export async function listConsoleStorages(deps: ConsoleStoragesDeps): Promise<AdminStorage[]> {
  return (await listStorages(deps)).map(presentInfo)
}

/** @throws AppError STORAGE_NOT_FOUND */
export async function getConsoleStorage(deps: ConsoleStoragesDeps, id: number): Promise<AdminStorageDetail> {
  const row = await storagesStore.byId(deps.db, id)
  const info = (await listStorages(deps)).find((storage) => storage.id === id)
  if (row === undefined || info === undefined) throw new AppError('STORAGE_NOT_FOUND')
  const spaces = (await allSpaces(deps.db)).filter((space) => info.spaceIds.includes(space.id))
  return {
    ...presentInfo(info),
    settings: settingsIn(row),
    hasSecret: row.sealed_secret !== '',
    ...{ createdAt: row.created_at, revision: row.revision },
    spaces: spaces.map((space) => ({ id: space.id, name: space.spaceName })),
    keepers: await keepersOn(deps.db, id),
    cleaning: await presentCleaning(deps.db, id),
    room: await roomOn(deps, id),
  }
}

/** @throws AppError with what is wrong with the storage; SUPER_ADMIN_ONLY for a folder of the server */
export async function addConsoleStorage(
  deps: ConsoleStoragesDeps,
  { ctx, record }: ConsoleCall,
  { name, kind, settings, secret = '', isDefault }: NewAdminStorage,
): Promise<AdminStorageDetail> {
  requireMayPlace(ctx, kind)
  const spaceId = isDefault ? LIMITS.defaultSpaceId : undefined
  const added = await addStorage(deps, { name, kind, settings, secret, spaceId, isDefault }, (tx, row) => {
    const after = { ...stateOf(row), ...(secret === '' ? {} : { secret }), isDefault, revision: row.revision }
    return record(tx, { kind: 'storage', id: row.id, name: row.name, after })
  })
  await deps.storages.refresh()
  return getConsoleStorage(deps, added.id)
}

/** @throws AppError STORAGE_NOT_FOUND, EDIT_CONFLICT and as {@link addConsoleStorage} */
export async function editConsoleStorage(
  deps: ConsoleStoragesDeps,
  { ctx, record }: ConsoleCall,
  { id, change: { isDefault, ...change } }: { readonly id: number; readonly change: AdminStorageChange },
): Promise<AdminStorageDetail> {
  const { kind } = await getConsoleStorage(deps, id)
  if (change.settings !== undefined) requireMayPlace(ctx, kind)
  const wanted = { ...change, defaultOf: isDefault === true ? LIMITS.defaultSpaceId : undefined }
  const isFirst = await editStorage(deps, { id, change: wanted }, (tx, { before, after, hasNewSecret }) => {
    const states = changedStates({ before, after, hasNewSecret }, isDefault === true)
    return record(tx, { kind: 'storage', id, name: before.name, ...states })
  })
  if (!isFirst) {
    const { revision } = await getConsoleStorage(deps, id)
    throw await editConflict(deps.db, { kind: 'storage', id }, { from: change.revision, present: revision })
  }
  await deps.storages.refresh()
  return getConsoleStorage(deps, id)
}

/** @throws AppError STORAGE_NOT_FOUND, STORAGE_DEFAULT_UNDELETABLE, STORAGE_IN_USE naming what uses it */
export async function removeConsoleStorage(
  deps: ConsoleStoragesDeps,
  { record }: ConsoleCall,
  id: number,
): Promise<void> {
  const { keepers, spaces, defaultOf } = await getConsoleStorage(deps, id)
  try {
    await removeStorage(deps, id, async (tx, row) => {
      await requireNoMoveTo(tx, id)
      await record(tx, { kind: 'storage', id, name: row.name, before: stateOf(row) })
    })
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const defaultSpaces = spaces.filter((space) => defaultOf.includes(space.id)).map(({ name }) => name)
    throw new AppError(thrown.code, { ...thrown.details, keepers, spaces: defaultSpaces }, { cause: thrown })
  }
  await deps.storages.refresh()
}

/** @throws AppError as {@link addConsoleStorage} */
export async function tryConsoleStorage(
  deps: ConsoleStoragesDeps,
  ctx: UserCtx,
  { storageId, ...tried }: TriedAdminStorage,
): Promise<StorageProof> {
  requireMayPlace(ctx, tried.kind)
  return { steps: [...(await tryStorage(deps, { id: storageId, ...tried }))] }
}

/** @throws AppError STORAGE_NOT_FOUND and what is wrong with it */
export async function testConsoleStorage(deps: ConsoleStoragesDeps, id: number): Promise<StorageProof> {
  return { steps: [...(await testStorage(deps, id)).steps] }
}

/** Who names folders of the server reads and writes them with its rights. @throws AppError SUPER_ADMIN_ONLY */
function requireMayPlace(ctx: UserCtx, kind: string): void {
  if (kind !== ('local' satisfies StorageKind)) return
  if (accountOf(ctx.principal).standing?.kind !== 'super') throw new AppError('SUPER_ADMIN_ONLY')
}

function presentInfo(info: StorageInfo): AdminStorage {
  return { ...info, spaceIds: [...info.spaceIds], defaultOf: [...info.defaultOf] }
}

function settingsIn(row: StorageRow): StorageSettings {
  return JSON.parse(row.settings) as StorageSettings
}

function stateOf(row: StorageRow): Readonly<Record<string, unknown>> {
  return { name: row.name, kind: row.kind, ...settingsIn(row) }
}

/** The fields that differ; a new secret as one that is masked. */
function changedStates({ before, after, hasNewSecret }: ChangedStorage, isDefault: boolean) {
  const [held, now] = [stateOf(before), stateOf(after)]
  const names = Object.keys({ ...held, ...now }).filter((name) => held[name] !== now[name])
  const pick = (state: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, state[name]]))
  const secret = hasNewSecret ? { secret: 'set' } : {}
  return {
    before: { ...pick(held), ...secret, revision: before.revision },
    after: { ...pick(now), ...secret, ...(isDefault ? { isDefault } : {}), revision: after.revision },
  }
}

async function keepersOn(db: Db, id: number): Promise<AdminStorageDetail['keepers']> {
  const places = await storagesStore.placesOn(db, id, KEEPERS_SHOWN)
  const named = await Promise.all(
    places.map(async ({ owner_id: ownerId, group_id: groupId }) =>
      ownerId === ''
        ? { kind: 'group' as const, name: (await groupsStore.byId(db, groupId))?.name }
        : { kind: 'account' as const, name: (await usersStore.byId(db, ownerId))?.account },
    ),
  )
  // Folders of those who are gone stay where they are.
  return named.flatMap(({ kind, name }) => (name === undefined ? [] : [{ kind, name }]))
}

async function roomOn({ storages }: ConsoleStoragesDeps, id: number): Promise<AdminStorageDetail['room']> {
  try {
    const space = await storages.withId(id)?.space()
    return space === undefined ? null : { freeBytes: space.freeBytes, totalBytes: space.totalBytes }
  } catch {
    // A storage that does not answer is shown all the same; the list says what is wrong with it.
    return null
  }
}
