import type { Ids } from '../../kernel/ids.ts'
import { AppError } from '../../kernel/errors.ts'
import type { FileJobsDeps } from '../files/index.ts'
import type { RecycleRow } from './recycle.schema.ts'

export interface RecycleDeps extends FileJobsDeps {
  readonly ids: Ids
}

/**
 * Keeps an item to one restore or purge. Whoever comes second finds what the first one left: nothing, or an item that
 * never comes back.
 */
export async function withItemLock(deps: RecycleDeps, row: RecycleRow, work: () => Promise<void>): Promise<void> {
  const store = deps.files.storages.ofSpace(row.space_id)
  if (store === undefined) throw new AppError('NO_SPACE')
  await deps.files.locks.run({ store, key: row.storage_key }, work)
}
