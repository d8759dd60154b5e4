import { isEmptyFolder, StorageError, type ObjectStore } from '@godwit/storage'
import type { Db } from '../../kernel/db/index.ts'
import type { PlaceCopyRow } from './relocations.schema.ts'
import { relocationsStore, type PlaceKey } from './relocations.store.ts'

interface Removing {
  readonly db: Db
  readonly store: ObjectStore
  readonly place: PlaceKey
  /** Which of the two storages it is. */
  readonly side: 'from' | 'to'
  /** Only what no pass since then has seen. */
  readonly before?: number
}

/**
 * Removes one side of what stands on both storages, and forgets it. What was changed since it was copied is somebody's, and stays.
 * @returns files that stayed
 */
export async function removeCopies({ db, store, place, side, before }: Removing): Promise<number> {
  const folders: PlaceCopyRow[] = []
  let kept = 0
  for await (const rows of relocationsStore.copies(db, place, before)) {
    for (const row of rows) {
      if (row.is_folder === 1) {
        folders.push(row)
        continue
      }
      if (!(await removeFile(store, row, side))) kept++
      await relocationsStore.forget(db, row)
    }
  }
  // The deepest first: what is in a folder is gone before it.
  for (const row of folders.toSorted((one, other) => other.storage_key.length - one.storage_key.length)) {
    const isFolder = (await store.stat(row.storage_key))?.kind === 'folder'
    if (isFolder && (await isEmptyFolder(store, row.storage_key))) await removeIfThere(store, row.storage_key)
    await relocationsStore.forget(db, row)
  }
  return kept
}

/** @returns false when it stays */
async function removeFile(store: ObjectStore, row: PlaceCopyRow, side: Removing['side']): Promise<boolean> {
  const entry = await store.stat(row.storage_key)
  if (entry === undefined) return true
  const etag = side === 'from' ? row.from_etag : row.to_etag
  // A copy that was only begun has no tag yet; nobody but us writes there.
  if (entry.kind !== 'file' || (etag !== '' && entry.etag !== etag)) return false
  await removeIfThere(store, row.storage_key)
  return true
}

/** Removes what may be gone already. */
export async function removeIfThere(store: ObjectStore, key: string): Promise<void> {
  try {
    await store.remove(key)
  } catch (thrown) {
    if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw thrown
  }
}
