import type { StorageKind } from '@godwit/contract'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { ensureInstallation } from './installation.ts'
import {
  nameOf,
  onStore,
  openRequest,
  requireFreeName,
  requireFreePlace,
  requireRow,
  requireUsable,
  settingsOf,
  type OnChange,
  type StorageAdminDeps,
} from './storages.admin.ts'
import { prepared } from './storages.kinds.ts'
import { probeStore, type ProbeResult } from './storages.probe.ts'
import type { StorageRow } from './storages.schema.ts'
import { secretPurpose } from './storages.service.ts'
import { storagesStore } from './storages.store.ts'

export interface StorageChange {
  /** The one that the change began from. */
  readonly revision: number
  readonly name?: string | undefined
  /** All of them, as the schema of the kind has it. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** Left out, the one that is sealed stays. */
  readonly secret?: string | undefined
  /** New places of the space are made on it. */
  readonly defaultOf?: number | undefined
}

export interface ChangedStorage {
  readonly before: StorageRow
  readonly after: StorageRow
  readonly hasNewSecret: boolean
}

/**
 * Changes a storage once it answers with the new settings; a running server uses them from its next look on. One that
 * keeps files stays the same storage: its mark must be at the new place.
 * @returns false when somebody else saved first; nothing is changed then
 * @throws AppError STORAGE_NOT_FOUND and as {@link addStorage}
 */
export async function editStorage(
  deps: StorageAdminDeps,
  { id, change }: { readonly id: number; readonly change: StorageChange },
  onChange: OnChange<ChangedStorage>,
): Promise<boolean> {
  const row = await requireRow(deps.db, id)
  if (row.revision !== change.revision) return false
  const others = (await storagesStore.all(deps.db)).filter((other) => other.id !== id)
  const name = change.name === undefined ? undefined : nameOf(change.name)
  if (name !== undefined) requireFreeName(others, name.name_key)
  const columns = { ...name, ...(await placeColumns(deps, { row, change, others })), revision: row.revision + 1 }
  return inTransaction(deps.db, async (tx) => {
    if (!(await storagesStore.changeAt(tx, { id, revision: row.revision }, columns))) return false
    if (change.defaultOf !== undefined) await storagesStore.makeDefault(tx, change.defaultOf, id)
    const after = { ...row, ...columns }
    await onChange(tx, { before: row, after, hasNewSecret: change.secret !== undefined })
    return true
  })
}

interface PlaceChange {
  readonly row: StorageRow
  readonly change: StorageChange
  readonly others: readonly StorageRow[]
}

/** What the row says about where the storage is, once the storage was there. */
async function placeColumns(
  deps: StorageAdminDeps,
  { row, change, others }: PlaceChange,
): Promise<Partial<Omit<StorageRow, 'id'>>> {
  if (change.settings === undefined && change.secret === undefined) return {}
  const { id } = row
  const { settings, secret } = requestOf(deps, row, change)
  if (JSON.stringify(settings) !== row.settings) requireFreePlace(deps, { kind: row.kind, settings }, others)
  const owner = { installation: await ensureInstallation(deps), storage: id }
  const isEmpty = ((await storagesStore.placeCounts(deps.db)).get(id) ?? 0) === 0
  const request = { kind: row.kind, settings, secret, create: isEmpty }
  await onStore(deps, request, async (store, attempt) => {
    await probeStore(store, { ...deps, attempt })
    await attempt(() => requireUsable(store, owner, isEmpty ? { ...row, marked_at: null } : row))
  })
  const now = deps.clock.now()
  return {
    ...{ settings: JSON.stringify(settings), marked_at: row.marked_at ?? now, checked_at: now, error: '' },
    ...(change.secret === undefined ? {} : { sealed_secret: deps.vault().seal(secretPurpose(id), secret) }),
  }
}

export interface TriedStorage {
  /** Of the storage that these settings are meant for; undefined for a new one. */
  readonly id?: number | undefined
  readonly kind: StorageKind
  readonly settings: Readonly<Record<string, unknown>>
  /** Left out, the sealed one of the storage is used. */
  readonly secret?: string | undefined
}

/** Proves settings before they are saved. Nothing is kept of it but a folder that was missing. @throws AppError as {@link addStorage} */
export async function tryStorage(deps: StorageAdminDeps, tried: TriedStorage): Promise<ProbeResult> {
  const row = tried.id === undefined ? undefined : await requireRow(deps.db, tried.id)
  const { settings, secret } = row === undefined ? newRequest(tried) : requestOf(deps, row, tried)
  const kind = row?.kind ?? tried.kind
  if (JSON.stringify(settings) !== row?.settings) {
    const others = (await storagesStore.all(deps.db)).filter(({ id }) => id !== tried.id)
    requireFreePlace(deps, { kind, settings }, others)
  }
  return onStore(deps, { kind, settings, secret, create: true }, (store, attempt) =>
    probeStore(store, { ...deps, attempt }),
  )
}

function newRequest({ kind, settings, secret = '' }: TriedStorage): {
  readonly settings: unknown
  readonly secret: string
} {
  const given = prepared(kind, { settings, secret })
  return { settings: settingsOf({ kind, ...given }), secret: given.secret }
}

function requestOf(
  deps: StorageAdminDeps,
  row: StorageRow,
  change: Pick<StorageChange, 'settings' | 'secret'>,
): { readonly settings: unknown; readonly secret: string } {
  const held = openRequest(deps, row)
  if (change.secret === '') throw new AppError('VALUE_REQUIRED', { field: 'secret' })
  const given = {
    settings: change.settings ?? (held.settings as Readonly<Record<string, unknown>>),
    secret: change.secret ?? '',
  }
  const { settings, secret } = prepared(row.kind, given)
  const kept = secret === '' ? held.secret : secret
  return { settings: settingsOf({ kind: row.kind as StorageKind, settings, secret: kept }), secret: kept }
}
