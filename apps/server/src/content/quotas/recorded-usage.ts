import type { Db, Tx } from '../../kernel/db/index.ts'
import { quotasStore } from './quotas.store.ts'

/** What is booked to a bucket. */
export interface RecordedUsage {
  readonly usedBytes: number
  readonly reservedBytes: number
}

export function recordedUsage(db: Db | Tx, bucket: string): Promise<RecordedUsage> {
  return quotasStore.of(db, bucket)
}

/** Books `to` in place of `from`. @returns false when something else is booked by now */
export async function correctUsage(
  db: Db,
  bucket: string,
  { from, to }: { readonly from: RecordedUsage; readonly to: RecordedUsage },
): Promise<boolean> {
  return quotasStore.replace(db, bucket, { from, to })
}

/** Whose files these were is gone, and the files with it. */
export function forgetUsage(tx: Tx, bucket: string): Promise<void> {
  return quotasStore.forget(tx, bucket)
}
