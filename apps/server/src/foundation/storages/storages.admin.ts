import { inTransaction, type Db } from '../../kernel/db/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { StorageError, type ObjectStore } from '@godwit/storage'
import { ensureInstallation } from './installation.ts'
import { requireFreeFolder } from './storages.folders.ts'
import { storageHealthCode, WrongStorage } from './storages.errors.ts'
import { kindOf, type KindDeps, type StorageKind } from './storages.kinds.ts'
import { markOwner, markText, readMarkState } from './storages.marks.ts'
import type { StorageRow } from './storages.schema.ts'
import { secretPurpose } from './storages.service.ts'
import { storagesStore } from './storages.store.ts'

export interface StorageAdminDeps extends Omit<KindDeps, 'isOwner'> {
  readonly db: Db
  readonly vault: () => Vault
  /** Root folder of the installed program. */
  readonly program: string
}

export interface NewStorage {
  readonly name: string
  readonly kind: StorageKind
  /** As the schema of the kind has it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** '' for a kind without one. */
  readonly secret: string
  readonly spaceId: number
  /** New places of the space are made on it. */
  readonly isDefault: boolean
}

/** A storage as an operator sees it; its secret never leaves the vault. */
export interface StorageInfo {
  readonly id: number
  readonly name: string
  readonly kind: string
  /** Where it is. */
  readonly place: string
  /** Spaces that use it. */
  readonly spaceIds: readonly number[]
  /** Spaces whose new places are made on it. */
  readonly defaultOf: readonly number[]
  /** Accounts and groups that keep files on it, by space. */
  readonly places: number
  /** Unix milliseconds of the last look; null: never. */
  readonly checkedAt: number | null
  /** Name of the error of that look; '' when all was well. */
  readonly error: string
}

const NAME_MAX = 32

export async function listStorages({ db, data }: Pick<StorageAdminDeps, 'db' | 'data'>): Promise<StorageInfo[]> {
  const [rows, uses, places] = [
    await storagesStore.all(db),
    await storagesStore.uses(db),
    await storagesStore.placeCounts(db),
  ]
  return rows.map((row) => {
    const own = uses.filter((use) => use.storage_id === row.id)
    return {
      ...{ id: row.id, name: row.name, kind: row.kind },
      place: kindOf(row.kind).describe({ data }, JSON.parse(row.settings)),
      spaceIds: own.map((use) => use.space_id),
      defaultOf: own.filter((use) => use.is_default === 1).map((use) => use.space_id),
      places: places.get(row.id) ?? 0,
      ...{ checkedAt: row.checked_at, error: row.error },
    }
  })
}

/**
 * Adds a storage that answers, and marks it as ours.
 * @throws AppError STORAGE_NAME_INVALID, STORAGE_NAME_DUPLICATE, PARAMETER_INVALID, VALUE_REQUIRED, STORAGE_PATH_INVALID,
 *   STORAGE_NOT_OURS, STORAGE_IN_USE and what keeps it from answering
 */
export async function addStorage(deps: StorageAdminDeps, wanted: NewStorage): Promise<StorageInfo> {
  const installation = await ensureInstallation(deps)
  const settings = settingsOf(wanted)
  const row = newRow(deps, wanted, settings)
  await requireFreeName(deps.db, row.name_key)
  if (wanted.kind === 'local') requireFreeFolder(deps, settings, await storagesStore.all(deps.db))
  const request = { kind: wanted.kind, settings, secret: wanted.secret, create: true }
  const id = await onStore(deps, request, async (store) => {
    await requireFreeStore(deps.db, await store.readMark(), installation)
    const added = await insert(deps, wanted, row)
    try {
      await store.writeMark(markText({ installation, storage: added }))
      await storagesStore.change(deps.db, added, { marked_at: deps.clock.now() })
    } catch (thrown) {
      await inTransaction(deps.db, (tx) => storagesStore.remove(tx, added))
      throw thrown
    }
    return added
  })
  return storageInfo(deps, id)
}

/**
 * Opens a storage anew, reads and writes its mark and lists it; notes the outcome.
 * @throws AppError STORAGE_NOT_FOUND and what is wrong with it
 */
export async function testStorage(deps: StorageAdminDeps, id: number): Promise<StorageInfo> {
  const row = await requireRow(deps.db, id)
  const owner = { installation: await ensureInstallation(deps), storage: id }
  const checked_at = deps.clock.now()
  try {
    await onStore(deps, openRequest(deps, row), async (store) => {
      const state = await readMarkState(store, owner)
      if (state !== 'ours' && !(state === 'none' && row.marked_at === null)) throw new WrongStorage(state)
      await store.writeMark(markText(owner))
      for await (const _page of store.list('')) break
    })
  } catch (thrown) {
    if (thrown instanceof AppError) await storagesStore.change(deps.db, id, { checked_at, error: thrown.code })
    throw thrown
  }
  await storagesStore.change(deps.db, id, { checked_at, error: '', marked_at: row.marked_at ?? checked_at })
  return storageInfo(deps, id)
}

/**
 * Takes what is there for this storage, whosever it was: it was copied, or moved to another place.
 * @throws AppError STORAGE_NOT_FOUND and what keeps it from answering
 */
export async function adoptStorage(deps: StorageAdminDeps, id: number): Promise<StorageInfo> {
  const row = await requireRow(deps.db, id)
  const mark = markText({ installation: await ensureInstallation(deps), storage: id })
  await onStore(deps, openRequest(deps, row), (store) => store.writeMark(mark))
  const now = deps.clock.now()
  await storagesStore.change(deps.db, id, { marked_at: row.marked_at ?? now, checked_at: now, error: '' })
  return storageInfo(deps, id)
}

/** Makes new places of a space on this storage; existing ones stay where they are. @throws AppError STORAGE_NOT_FOUND */
export async function makeDefault({ db }: Pick<StorageAdminDeps, 'db'>, id: number, spaceId: number): Promise<void> {
  await requireRow(db, id)
  await inTransaction(db, (tx) => storagesStore.makeDefault(tx, spaceId, id))
}

/**
 * Forgets a storage; its files stay where they are.
 * @throws AppError STORAGE_NOT_FOUND, STORAGE_DEFAULT_UNDELETABLE, STORAGE_IN_USE
 */
export async function removeStorage({ db }: Pick<StorageAdminDeps, 'db'>, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireRow(tx, id)
    const isDefault = (await storagesStore.uses(tx)).some((use) => use.storage_id === id && use.is_default === 1)
    if (isDefault) throw new AppError('STORAGE_DEFAULT_UNDELETABLE')
    const places = (await storagesStore.placeCounts(tx)).get(id) ?? 0
    if (places > 0) throw new AppError('STORAGE_IN_USE', { places })
    // A place that is made in this moment keeps the row by its foreign key.
    await storagesStore.remove(tx, id)
  })
}

interface OpenRequest {
  readonly kind: string
  readonly settings: unknown
  readonly secret: string
  readonly create: boolean
}

function openRequest({ vault }: StorageAdminDeps, row: StorageRow): OpenRequest {
  const secret = row.sealed_secret === '' ? '' : vault().open(secretPurpose(row.id), row.sealed_secret)
  return { kind: row.kind, settings: JSON.parse(row.settings), secret, create: row.marked_at === null }
}

/** Works on a store of its own beside the running server. @throws AppError with what is wrong with the storage */
async function onStore<T>(
  deps: StorageAdminDeps,
  { kind: name, ...request }: OpenRequest,
  work: (store: ObjectStore) => Promise<T>,
): Promise<T> {
  const kind = kindOf(name)
  try {
    await using store = await kind.open({ ...deps, isOwner: false }, request)
    const result = await work(store)
    await kind.probe({ ...deps, isOwner: false }, request.settings)
    return result
  } catch (thrown) {
    const code = thrown instanceof StorageError ? storageHealthCode(thrown) : undefined
    throw code === undefined ? thrown : new AppError(code, undefined, { cause: thrown })
  }
}

function settingsOf({ kind, settings, secret }: NewStorage): unknown {
  const parsed = kindOf(kind).settings.safeParse(settings)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new AppError('PARAMETER_INVALID', { field: issue?.path.join('.') ?? 'settings', rule: issue?.message ?? '' })
  }
  if (kindOf(kind).needsSecret && secret === '') throw new AppError('VALUE_REQUIRED', { field: 'secret' })
  return parsed.data
}

type NewRow = Omit<StorageRow, 'id'>

function newRow({ clock }: StorageAdminDeps, { name: wanted, kind }: NewStorage, settings: unknown): NewRow {
  const name = wanted.normalize('NFC').trim()
  if (name === '' || [...name].length > NAME_MAX || /[\p{Cc}\p{Cs}]/u.test(name))
    throw new AppError('STORAGE_NAME_INVALID')
  const now = clock.now()
  return {
    ...{ name, name_key: name.normalize('NFKC').toLowerCase(), kind, settings: JSON.stringify(settings) },
    ...{ sealed_secret: '', created_at: now, marked_at: null, checked_at: now, error: '' },
  }
}

async function requireFreeName(db: Db, name_key: string): Promise<void> {
  if ((await storagesStore.all(db)).some((row) => row.name_key === name_key))
    throw new AppError('STORAGE_NAME_DUPLICATE')
}

/** A storage that was removed from the list may come back; one that is on the list is there already. */
async function requireFreeStore(db: Db, mark: string | undefined, installation: string): Promise<void> {
  if (mark === undefined) return
  const owner = markOwner(mark)
  if (owner?.installation !== installation) throw new AppError('STORAGE_NOT_OURS')
  if ((await storagesStore.byId(db, owner.storage)) !== undefined) throw new AppError('STORAGE_IN_USE')
}

async function insert({ db, vault }: StorageAdminDeps, wanted: NewStorage, row: NewRow): Promise<number> {
  return inTransaction(db, async (tx) => {
    const id = await storagesStore.insert(tx, row)
    if (wanted.secret !== '') {
      await storagesStore.change(tx, id, { sealed_secret: vault().seal(secretPurpose(id), wanted.secret) })
    }
    if (wanted.isDefault) await storagesStore.makeDefault(tx, wanted.spaceId, id)
    else await storagesStore.use(tx, { space_id: wanted.spaceId, storage_id: id, is_default: 0 })
    return id
  })
}

async function requireRow(db: Parameters<typeof storagesStore.byId>[0], id: number): Promise<StorageRow> {
  const row = await storagesStore.byId(db, id)
  if (row === undefined) throw new AppError('STORAGE_NOT_FOUND')
  return row
}

async function storageInfo(deps: StorageAdminDeps, id: number): Promise<StorageInfo> {
  const info = (await listStorages(deps)).find((storage) => storage.id === id)
  if (info === undefined) throw new AppError('STORAGE_NOT_FOUND')
  return info
}
