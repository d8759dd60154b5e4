import type { Ids } from '../../kernel/ids.ts'
import type { ObjectStore } from '@godwit/storage'
import { storeOf } from '../access/index.ts'
import type { FileJobsDeps } from '../files/index.ts'
import { bucketOf } from '../quotas/index.ts'
import type { RecycleRow } from './recycle.schema.ts'

export interface RecycleDeps extends FileJobsDeps {
  readonly ids: Ids
  /** Days after which an item is deleted for good. */
  readonly keptDays: number
}

/**
 * Keeps an item to one restore or purge. Whoever comes second finds what the first one left: nothing, or an item that
 * never comes back.
 */
export async function withItemLock(deps: RecycleDeps, row: RecycleRow, work: () => Promise<void>): Promise<void> {
  const store = await storeOfItem(deps, row)
  await deps.files.locks.run({ store, key: row.storage_key }, work)
}

/** The storage that an item is on: the one of the place it was deleted from. */
export function storeOfItem({ files }: Pick<RecycleDeps, 'files'>, row: RecycleRow): Promise<ObjectStore> {
  return storeOf(files.storages, { userId: row.owner_id, spaceId: row.space_id, groupId: row.group_id })
}

/** What the bytes of an item stay booked to until it is deleted for good. */
export function bucketOfItem({ owner_id: userId, group_id: groupId }: RecycleRow): string {
  return bucketOf({ userId, groupId })
}
