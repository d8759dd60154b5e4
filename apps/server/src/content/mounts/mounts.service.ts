import type { Clock } from '@godwit/base'
import { FULL_PERMISSION, isStorageAlias, LIMITS, PERMISSION } from '@godwit/contract'
import { isEmptyFolder, type ObjectStore } from '@godwit/storage'
import { storagesStore, withAppErrors, type Storages } from '../../foundation/storages/index.ts'
import { membershipsStore } from '../../identity/memberships/index.ts'
import { mountsStore, type MountRow } from '../../identity/mounts/index.ts'
import { usersStore, type UserRow } from '../../identity/users/index.ts'
import { dialectOf, inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { foldName, groupOfMount, newName, pathNames, personalHome, storeOf, type PlaceIds } from '../access/index.ts'
import type { FileEvent, Origin } from '../file-events/index.ts'
import { folderFault, foldPath } from './mounts.policy.ts'

export interface MountsDeps {
  readonly db: Db
  readonly storages: Storages
  readonly clock: Clock
  /**
   * Resolves when no process takes the account for what it was before: a name in the home appears only when everybody knows that
   * it leads elsewhere, so that nothing is ever written below it.
   */
  readonly settled: (userId: string) => Promise<void>
}

/** A virtual directory, as an administrator sees it. */
export interface MountInfo {
  readonly id: number
  readonly userId: string
  readonly account: string
  readonly spaceId: number
  /** Its name in the home. */
  readonly alias: string
  readonly storageId: number
  readonly storageName: string
  /** Folder of the storage. */
  readonly path: string
  readonly readOnly: boolean
}

export interface NewMount {
  readonly spaceId: number
  readonly alias: string
  readonly storageId: number
  readonly path: string
  readonly readOnly: boolean
}

/** Writes down what changed, in the transaction of the change. */
type OnChange = (tx: Tx, row: MountRow) => Promise<void>

const READ_ONLY = PERMISSION.list | PERMISSION.download | PERMISSION.share
/** Virtual directories of one account. */
const MOUNTS_MAX = 100

export async function listMounts(db: Db, userId?: string): Promise<MountInfo[]> {
  const rows = userId === undefined ? await mountsStore.all(db) : await mountsStore.ofUser(db, userId)
  const names = new Map((await storagesStore.all(db)).map(({ id, name }) => [id, name]))
  const accounts = new Map<string, string>()
  for (const id of new Set(rows.map((row) => row.user_id)))
    accounts.set(id, (await usersStore.byId(db, id))?.account ?? '')
  return rows.map((row) => ({
    ...{ id: row.id, userId: row.user_id, account: accounts.get(row.user_id) ?? '', spaceId: row.space_id },
    ...{ alias: row.alias, storageId: row.storage_id, storageName: names.get(row.storage_id) ?? '' },
    ...{ path: row.path, readOnly: row.permission !== FULL_PERMISSION },
  }))
}

/**
 * Shows a folder of a storage under a name in a home. The folder is made where it is missing; what is in it is seen from now on.
 * @throws AppError NO_SPACE, STORAGE_NOT_FOUND, STORAGE_PATH_INVALID, ALIAS_PATH_INVALID, ALIAS_PATH_DUPLICATE, PATH_EXISTS, NAME_CASE_CLASH, PATH_IS_FILE and
 * what keeps the storages from answering
 */
export async function addMount(
  deps: MountsDeps,
  user: UserRow,
  wanted: NewMount,
  onChange: OnChange = () => Promise.resolve(),
): Promise<MountRow> {
  const { db, storages, clock } = deps
  const { spaceId, storageId } = wanted
  const alias = aliasOf(wanted.alias)
  const path = pathNames(`/${wanted.path}`).join('/')
  if ((await membershipsStore.of(db, user.id, spaceId)) === undefined) throw new AppError('NO_SPACE')
  if ((await storagesStore.byId(db, storageId)) === undefined) throw new AppError('STORAGE_NOT_FOUND')
  const home = await homeOf(deps, user, spaceId)
  await requireFreeAlias(db, { user_id: user.id, space_id: spaceId, id: 0 }, alias)
  await withAppErrors(() => requireFreeName(home, alias))
  const row = await inTransaction(db, async (tx) => {
    await lockMounts(tx)
    await requireFree(tx, { userId: user.id, path })
    await requireFreeAlias(tx, { user_id: user.id, space_id: spaceId, id: 0 }, alias)
    const columns = {
      ...{ user_id: user.id, space_id: spaceId, alias, alias_key: foldName(alias) },
      ...{ storage_id: storageId, path, path_key: foldPath(path) },
      ...{ permission: wanted.readOnly ? READ_ONLY : FULL_PERMISSION, created_at: clock.now(), removed_at: null },
    }
    const id = await mountsStore.insert(tx, columns)
    await storagesStore.addPlace(tx, {
      owner_id: '',
      space_id: spaceId,
      group_id: groupOfMount(id),
      storage_id: storageId,
    })
    await onChange(tx, { id, ...columns })
    return { id, ...columns }
  })
  try {
    await deps.settled(user.id)
    await withAppErrors(async () => {
      await makeFolder(await storeOf(storages, { userId: user.id, ...placeIdsOf(row) }), path)
      await makeName(home, alias)
    })
  } catch (thrown) {
    await inTransaction(db, (tx) => forget(tx, row))
    throw thrown
  }
  return row
}

/**
 * Gives a virtual directory another name in its home; favorites, links and the record of what was done follow it.
 * @throws AppError ACCOUNT_NOT_FOUND, ALIAS_PATH_INVALID, ALIAS_PATH_DUPLICATE, PATH_EXISTS, NAME_CASE_CLASH; PATH_NOT_FOUND when
 * somebody renamed or removed it meanwhile
 */
export async function renameMount(
  deps: MountsDeps,
  { row, alias: wanted, origin }: { readonly row: MountRow; readonly alias: string; readonly origin: Origin },
  onChange: OnChange = () => Promise.resolve(),
): Promise<MountRow> {
  const { db, clock } = deps
  const alias = aliasOf(wanted)
  if (alias === row.alias) return row
  const user = await usersStore.byId(db, row.user_id)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  const home = await homeOf(deps, user, row.space_id)
  await requireFreeAlias(db, row, alias)
  await withAppErrors(() => requireFreeName(home, alias, row.alias))
  const change = { alias, alias_key: foldName(alias) }
  await inTransaction(db, async (tx) => {
    await lockMounts(tx)
    if ((await mountsStore.hold(tx, row.id))?.alias !== row.alias)
      throw new AppError('PATH_NOT_FOUND', { name: row.alias })
    await requireFreeAlias(tx, row, alias)
    await mountsStore.change(tx, row.id, change)
    const event = { ...eventOf(row, origin, clock), path: `/${alias}`, from: `/${row.alias}` }
    await recordEvent({ tx, clock }, 'file.renamed', event)
    await onChange(tx, { ...row, ...change })
  })
  await deps.settled(user.id)
  await removeName(home, row.alias)
  await withAppErrors(() => makeName(home, alias))
  return { ...row, ...change }
}

/** Takes a virtual directory out of its home; its files stay on the storage, and links into it end. */
export async function removeMount(
  deps: MountsDeps,
  { row, origin }: { readonly row: MountRow; readonly origin: Origin },
  onChange: OnChange = () => Promise.resolve(),
): Promise<void> {
  const { db, clock } = deps
  await inTransaction(db, async (tx) => {
    await takeAway(tx, { row, origin, clock })
    await onChange(tx, row)
  })
  await deps.settled(row.user_id)
  const user = await usersStore.byId(db, row.user_id)
  if (user !== undefined) await removeName(await homeOf(deps, user, row.space_id), row.alias)
}

/** Those of an account that goes. */
export async function removeMountsOf(tx: Tx, userId: string, { origin, clock }: { origin: Origin; clock: Clock }) {
  for (const row of await mountsStore.ofUser(tx, userId)) await takeAway(tx, { row, origin, clock })
}

async function takeAway(
  tx: Tx,
  { row, origin, clock }: { readonly row: MountRow; readonly origin: Origin; readonly clock: Clock },
): Promise<void> {
  await mountsStore.change(tx, row.id, { removed_at: clock.now() })
  const event = { ...eventOf(row, origin, clock), path: `/${row.alias}`, recycleId: '', isForGood: true }
  await recordEvent({ tx, clock }, 'file.deleted', event)
}

/** Forgets what is in no use any more: neither a bin, nor versions, nor unfinished uploads are left of it. */
export async function forgetRemoved(db: Db): Promise<void> {
  for (const row of await mountsStore.removed(db)) {
    await inTransaction(db, async (tx) => {
      if (!(await hasRemains(tx, groupOfMount(row.id)))) await forget(tx, row)
    })
  }
}

const REMAINS = ['recycle_items', 'file_versions', 'uploads', 'intake_batches'] as const

async function hasRemains(tx: Tx, groupId: number): Promise<boolean> {
  for (const table of REMAINS) {
    const row = await tx.selectFrom(table).select('group_id').where('group_id', '=', groupId).executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

async function forget(tx: Tx, row: MountRow): Promise<void> {
  await storagesStore.removePlace(tx, { owner_id: '', space_id: row.space_id, group_id: groupOfMount(row.id) })
  await mountsStore.forget(tx, row.id)
}

/** @throws AppError PATH_NOT_FOUND */
export async function requireMount(db: Db, userId: string, alias: string): Promise<MountRow> {
  const key = foldName(alias)
  const row = (await mountsStore.ofUser(db, userId)).find((mount) => mount.alias_key === key)
  if (row === undefined) throw new AppError('PATH_NOT_FOUND', { name: alias })
  return row
}

/** @throws AppError ALIAS_PATH_INVALID */
function aliasOf(text: string): string {
  if (!isStorageAlias(text) || text.includes('/')) throw new AppError('ALIAS_PATH_INVALID')
  try {
    return newName(text)
  } catch (thrown) {
    throw new AppError('ALIAS_PATH_INVALID', undefined, { cause: thrown })
  }
}

/** @throws AppError ALIAS_PATH_DUPLICATE */
async function requireFreeAlias(
  db: Db | Tx,
  { id, user_id: userId, space_id: spaceId }: Pick<MountRow, 'id' | 'user_id' | 'space_id'>,
  alias: string,
): Promise<void> {
  const key = foldName(alias)
  const own = await mountsStore.ofUser(db, userId)
  const isTaken = own.some((row) => row.id !== id && row.space_id === spaceId && row.alias_key === key)
  if (isTaken) throw new AppError('ALIAS_PATH_DUPLICATE')
}

/** Two administrators at once never mount one folder twice, nor give two virtual directories one name. */
async function lockMounts(tx: Tx): Promise<void> {
  if (dialectOf(tx) === 'mysql') await tx.selectFrom('storages').select('id').orderBy('id').forUpdate().execute()
}

/** Rows name files by space and key, without the storage, so folders of all storages stand apart. */
async function requireFree(
  tx: Tx,
  { userId, path }: { readonly userId: string; readonly path: string },
): Promise<void> {
  const all = await mountsStore.all(tx)
  const rule = folderFault(
    path,
    all.map((mount) => mount.path),
  )
  if (rule !== undefined) throw new AppError('STORAGE_PATH_INVALID', { rule })
  const own = all.filter((mount) => mount.user_id === userId)
  if (own.length >= MOUNTS_MAX)
    throw new AppError('PARAMETER_INVALID', { field: 'mounts', rule: `at most ${MOUNTS_MAX}` })
}

interface Home {
  readonly store: ObjectStore
  readonly key: string
}

async function homeOf({ storages }: MountsDeps, user: UserRow, spaceId: number): Promise<Home> {
  const store = await storeOf(storages, { userId: user.id, spaceId, groupId: LIMITS.defaultGroupId })
  return { store, key: personalHome(user.home, spaceId) }
}

async function makeFolder(store: ObjectStore, key: string): Promise<void> {
  const entry = await store.stat(key)
  if (entry?.kind === 'file') throw new AppError('PATH_IS_FILE')
  if (entry === undefined) await store.ensureFolder(key)
}

/** An empty folder in the home stands for the virtual directory: so it is listed, sorted and paged, and its name is taken. */
async function makeName(home: Home, alias: string): Promise<void> {
  await requireFreeName(home, alias)
  await home.store.ensureFolder(`${home.key}/${alias}`)
}

/**
 * @param except a name that is about to go
 * @throws AppError PATH_EXISTS, NAME_CASE_CLASH
 */
async function requireFreeName({ store, key }: Home, alias: string, except = ''): Promise<void> {
  await store.ensureFolder(key)
  const folded = foldName(alias)
  for await (const page of store.list(key)) {
    const twin = page.names.find((name) => foldName(name) === folded && name !== except)
    if (twin === undefined) continue
    throw new AppError(twin.normalize('NFC') === alias ? 'PATH_EXISTS' : 'NAME_CASE_CLASH', { name: twin })
  }
}

/** What somebody put there by another way stays. */
async function removeName({ store, key }: Home, alias: string): Promise<void> {
  await withAppErrors(async () => {
    const name = `${key}/${alias}`
    if ((await store.stat(name))?.kind !== 'folder') return
    if (await isEmptyFolder(store, name)) await store.remove(name)
  })
}

function placeIdsOf(row: MountRow): PlaceIds {
  return { spaceId: row.space_id, groupId: groupOfMount(row.id) }
}

function eventOf(row: MountRow, origin: Origin, clock: Clock): Omit<FileEvent, 'path'> {
  return { ...origin, ...placeIdsOf(row), userId: row.user_id, kind: 'folder', size: null, at: clock.now() }
}
