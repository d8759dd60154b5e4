import { AppError } from '../../kernel/errors.ts'
import { ensureInstallation } from './installation.ts'
import {
  onStore,
  requireRow,
  requireUsable,
  storageInfo,
  type StorageAdminDeps,
  type StorageInfo,
} from './storages.admin.ts'
import { kindOf, prepared } from './storages.kinds.ts'
import { secretPurpose } from './storages.service.ts'
import { storagesStore } from './storages.store.ts'

export interface StorageKey {
  /** Left out where only the secret is another one. */
  readonly accessKeyId?: string
  readonly secret: string
}

/**
 * Changes the key with which a storage is opened, once the storage has taken it; a running server uses it from its next look on.
 * @throws AppError STORAGE_NOT_FOUND, PARAMETER_INVALID for a kind without a key, VALUE_REQUIRED and what keeps it from answering;
 *   the old key stays then
 */
export async function changeStorageKey(deps: StorageAdminDeps, id: number, key: StorageKey): Promise<StorageInfo> {
  const { db, vault } = deps
  const { secret: given, accessKeyId } = key
  const row = await requireRow(db, id)
  if (!kindOf(row.kind).needsSecret)
    throw new AppError('PARAMETER_INVALID', { field: 'id', rule: 'is opened without a key' })
  if (given === '' || accessKeyId === '')
    throw new AppError('VALUE_REQUIRED', { field: given === '' ? 'secret' : 'accessKeyId' })
  const held = JSON.parse(row.settings) as Readonly<Record<string, unknown>>
  const wanted = { ...held, ...(accessKeyId === undefined ? {} : { accessKeyId }) }
  const { settings, secret } = prepared(row.kind, { settings: wanted, secret: given })
  const owner = { installation: await ensureInstallation(deps), storage: id }
  const request = { kind: row.kind, settings, secret, create: false }
  await onStore(deps, request, (store, attempt) => attempt(() => requireUsable(store, owner, row)))
  const now = deps.clock.now()
  await storagesStore.change(db, id, {
    ...{ settings: JSON.stringify(settings), sealed_secret: vault().seal(secretPurpose(id), secret) },
    ...{ marked_at: row.marked_at ?? now, checked_at: now, error: '', revision: row.revision + 1 },
  })
  return storageInfo(deps, id)
}
