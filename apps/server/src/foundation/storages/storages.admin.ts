import { MiB } from '@godwit/base'
import { STORAGE_SLICE_MB, type StorageKind } from '@godwit/contract'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { StorageError, type ObjectStore } from '@godwit/storage'
import { ensureInstallation } from './installation.ts'
import { requireFreeBucket, requireFreeFolder } from './storages.folders.ts'
import { storageHealthCode, WrongStorage } from './storages.errors.ts'
import { kindOf, prepared, type KindDeps } from './storages.kinds.ts'
import { markOwner, markText, readMarkState, type Owner } from './storages.marks.ts'
import type { StorageRow } from './storages.schema.ts'
import { ProbeFailed, probeStore, type Attempt, type ProbeResult } from './storages.probe.ts'
import { secretPurpose } from './storages.service.ts'
import { storagesStore } from './storages.store.ts'

export interface StorageAdminDeps extends Omit<KindDeps, 'isOwner'> {
  readonly db: Db
  readonly vault: () => Vault
  /** Root folder of the installed program. */
  readonly program: string
  /** Milliseconds after which a storage that does not answer counts as unreachable. Default 10 s. */
  readonly patienceMs?: number
}

export interface NewStorage {
  readonly name: string
  readonly kind: StorageKind
  /** As the schema of the kind has it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** '' for a kind without one. */
  readonly secret: string
  /** Undefined: no space uses it yet. */
  readonly spaceId?: number | undefined
  /** New places of the space are made on it. */
  readonly isDefault: boolean
}

/** Writes down what changed, in the transaction of the change. */
export type OnChange<Change> = (tx: Tx, change: Change) => Promise<void>

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
const PATIENCE_MS = 10_000

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
 * Adds a storage that does all that files need, and marks it as ours.
 * @throws AppError STORAGE_NAME_INVALID, STORAGE_NAME_DUPLICATE, PARAMETER_INVALID, VALUE_REQUIRED, STORAGE_PATH_INVALID,
 *   STORAGE_NOT_OURS, STORAGE_IN_USE and what keeps it from answering
 */
export async function addStorage(
  deps: StorageAdminDeps,
  given: NewStorage,
  onChange: OnChange<StorageRow> = () => Promise.resolve(),
): Promise<StorageInfo> {
  const wanted = { ...given, ...prepared(given.kind, given) }
  const installation = await ensureInstallation(deps)
  const settings = settingsOf(wanted)
  const row = { ...nameOf(wanted.name), ...newRow(deps, wanted, settings) }
  const others = await storagesStore.all(deps.db)
  requireFreeName(others, row.name_key)
  requireFreePlace(deps, { kind: wanted.kind, settings }, others)
  const request = { kind: wanted.kind, settings, secret: wanted.secret, create: true }
  const id = await onStore(deps, request, async (store, attempt) => {
    await probeStore(store, { ...deps, attempt })
    await requireFreeStore(deps.db, await attempt(() => store.readMark()), installation)
    const added = await insert(deps, { wanted, row, onChange })
    try {
      await attempt(() => store.writeMark(markText({ installation, storage: added })))
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
 * Opens a storage anew and proves that it is ours and does all that files need; notes the outcome.
 * @throws AppError STORAGE_NOT_FOUND and what is wrong with it
 */
export async function testStorage(
  deps: StorageAdminDeps,
  id: number,
): Promise<StorageInfo & { readonly steps: ProbeResult }> {
  const row = await requireRow(deps.db, id)
  const owner = { installation: await ensureInstallation(deps), storage: id }
  const checked_at = deps.clock.now()
  let steps: ProbeResult
  try {
    steps = await onStore(deps, openRequest(deps, row), async (store, attempt) => {
      await attempt(() => requireUsable(store, owner, row))
      return probeStore(store, { ...deps, attempt })
    })
  } catch (thrown) {
    if (thrown instanceof AppError) await storagesStore.change(deps.db, id, { checked_at, error: thrown.code })
    throw thrown
  }
  await storagesStore.change(deps.db, id, { checked_at, error: '', marked_at: row.marked_at ?? checked_at })
  return { ...(await storageInfo(deps, id)), steps }
}

/** @throws WrongStorage, and what keeps it from answering */
export async function requireUsable(store: ObjectStore, owner: Owner, row: StorageRow): Promise<void> {
  // First, because only the answer to a list says whether it is the key that is wrong.
  for await (const _page of store.list('')) break
  const state = await readMarkState(store, owner)
  if (state !== 'ours' && !(state === 'none' && row.marked_at === null)) throw new WrongStorage(state)
  await store.writeMark(markText(owner))
}

/**
 * Takes what is there for this storage, whosever it was: it was copied, or moved to another place.
 * @throws AppError STORAGE_NOT_FOUND and what keeps it from answering
 */
export async function adoptStorage(deps: StorageAdminDeps, id: number): Promise<StorageInfo> {
  const row = await requireRow(deps.db, id)
  const mark = markText({ installation: await ensureInstallation(deps), storage: id })
  await onStore(deps, openRequest(deps, row), (store, attempt) => attempt(() => store.writeMark(mark)))
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
export async function removeStorage(
  { db }: Pick<StorageAdminDeps, 'db'>,
  id: number,
  onChange: OnChange<StorageRow> = () => Promise.resolve(),
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await requireRow(tx, id)
    const isDefault = (await storagesStore.uses(tx)).some((use) => use.storage_id === id && use.is_default === 1)
    if (isDefault) throw new AppError('STORAGE_DEFAULT_UNDELETABLE')
    const places = (await storagesStore.placeCounts(tx)).get(id) ?? 0
    if (places > 0) throw new AppError('STORAGE_IN_USE', { places })
    // A place that is made in this moment keeps the row by its foreign key.
    await storagesStore.remove(tx, id)
    await onChange(tx, row)
  })
}

interface OpenRequest {
  readonly kind: string
  readonly settings: unknown
  readonly secret: string
  readonly create: boolean
}

export function openRequest({ vault }: Pick<StorageAdminDeps, 'vault'>, row: StorageRow): OpenRequest {
  const secret = row.sealed_secret === '' ? '' : vault().open(secretPurpose(row.id), row.sealed_secret)
  return { kind: row.kind, settings: JSON.parse(row.settings), secret, create: row.marked_at === null }
}

/**
 * Works on a store of its own beside the running server, for ten seconds at most.
 * @param work asks the store through `attempt`, which gives up in time
 * @throws AppError with what is wrong with the storage
 */
export async function onStore<T>(
  deps: StorageAdminDeps,
  { kind: name, ...request }: OpenRequest,
  work: (store: ObjectStore, attempt: Attempt) => Promise<T>,
): Promise<T> {
  const kind = kindOf(name)
  const { attempt, end } = attemptsFor(deps.patienceMs ?? PATIENCE_MS)
  try {
    await using store = await attempt(() => kind.open({ ...deps, isOwner: false }, request))
    const result = await work(store, attempt)
    await attempt(() => kind.probe({ ...deps, isOwner: false }, request.settings))
    return result
  } catch (thrown) {
    throw setupError(thrown)
  } finally {
    end()
  }
}

/** What a person who sets a storage up can do about it; a failed probe names its step. */
function setupError(thrown: unknown): unknown {
  const [cause, details] = thrown instanceof ProbeFailed ? [thrown.cause, { step: thrown.step }] : [thrown, undefined]
  const code = cause instanceof StorageError ? storageHealthCode(cause) : undefined
  if (code === undefined && !(thrown instanceof ProbeFailed)) return thrown
  const isAway = code === undefined || code === 'STORAGE_UNREACHABLE'
  return new AppError(isAway ? 'STORAGE_CONNECTION_FAILED' : code, details, { cause })
}

function attemptsFor(patienceMs: number): { readonly attempt: Attempt; readonly end: () => void } {
  const { promise: over, reject } = Promise.withResolvers<never>()
  over.catch(() => undefined)
  const timer = setTimeout(() => reject(new StorageError('unreachable')), patienceMs)
  return { attempt: (work) => Promise.race([work(), over]), end: () => clearTimeout(timer) }
}

/** @throws AppError PARAMETER_INVALID, STORAGE_SLICE_SIZE_INVALID, VALUE_REQUIRED */
export function settingsOf({ kind, settings, secret }: Pick<NewStorage, 'kind' | 'settings' | 'secret'>): unknown {
  const parsed = kindOf(kind).settings.safeParse(settings)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    if (issue?.path[0] === 'sliceMb') {
      const { min, max } = STORAGE_SLICE_MB
      throw new AppError('STORAGE_SLICE_SIZE_INVALID', { min: min * MiB, max: max * MiB })
    }
    throw new AppError('PARAMETER_INVALID', { field: issue?.path.join('.') ?? 'settings', rule: issue?.message ?? '' })
  }
  if (kindOf(kind).needsSecret && secret === '') throw new AppError('VALUE_REQUIRED', { field: 'secret' })
  return parsed.data
}

type NewRow = Omit<StorageRow, 'id'>

function newRow(
  { clock }: StorageAdminDeps,
  { kind }: NewStorage,
  settings: unknown,
): Omit<NewRow, 'name' | 'name_key'> {
  const now = clock.now()
  return {
    ...{ kind, settings: JSON.stringify(settings), sealed_secret: '', revision: 1 },
    ...{ created_at: now, marked_at: null, checked_at: now, error: '' },
  }
}

/** @throws AppError STORAGE_NAME_INVALID */
export function nameOf(wanted: string): Pick<StorageRow, 'name' | 'name_key'> {
  const name = wanted.normalize('NFC').trim()
  if (name === '' || [...name].length > NAME_MAX || /[\p{Cc}\p{Cs}]/u.test(name))
    throw new AppError('STORAGE_NAME_INVALID')
  return { name, name_key: name.normalize('NFKC').toLowerCase() }
}

/** @throws AppError STORAGE_NAME_DUPLICATE */
export function requireFreeName(others: readonly StorageRow[], name_key: string): void {
  if (others.some((row) => row.name_key === name_key)) throw new AppError('STORAGE_NAME_DUPLICATE')
}

/** Storages stand apart, so that no file is reached on two ways. @throws AppError STORAGE_PATH_INVALID */
export function requireFreePlace(
  deps: Pick<StorageAdminDeps, 'data' | 'program'>,
  { kind, settings }: { readonly kind: string; readonly settings: unknown },
  others: readonly StorageRow[],
): void {
  if (kind === 'local') requireFreeFolder(deps, settings, others)
  else requireFreeBucket(settings, others)
}

/** A storage that was removed from the list may come back; one that is on the list is there already. */
async function requireFreeStore(db: Db, mark: string | undefined, installation: string): Promise<void> {
  if (mark === undefined) return
  const owner = markOwner(mark)
  if (owner?.installation !== installation) throw new AppError('STORAGE_NOT_OURS')
  if ((await storagesStore.byId(db, owner.storage)) !== undefined) throw new AppError('STORAGE_IN_USE')
}

interface Insertion {
  readonly wanted: NewStorage
  readonly row: NewRow
  readonly onChange: OnChange<StorageRow>
}

async function insert({ db, vault }: StorageAdminDeps, { wanted, row, onChange }: Insertion): Promise<number> {
  const { secret, spaceId, isDefault } = wanted
  return inTransaction(db, async (tx) => {
    const id = await storagesStore.insert(tx, row)
    if (secret !== '') await storagesStore.change(tx, id, { sealed_secret: vault().seal(secretPurpose(id), secret) })
    if (spaceId !== undefined && isDefault) await storagesStore.makeDefault(tx, spaceId, id)
    else if (spaceId !== undefined) await storagesStore.use(tx, { space_id: spaceId, storage_id: id, is_default: 0 })
    await onChange(tx, { id, ...row })
    return id
  })
}

export async function requireRow(db: Parameters<typeof storagesStore.byId>[0], id: number): Promise<StorageRow> {
  const row = await storagesStore.byId(db, id)
  if (row === undefined) throw new AppError('STORAGE_NOT_FOUND')
  return row
}

export async function storageInfo(deps: StorageAdminDeps, id: number): Promise<StorageInfo> {
  const info = (await listStorages(deps)).find((storage) => storage.id === id)
  if (info === undefined) throw new AppError('STORAGE_NOT_FOUND')
  return info
}
