import type { Db } from '../../kernel/db/index.ts'
import { quotasStore } from './quotas.store.ts'

/** What is booked for an account. */
export interface RecordedUsage {
  readonly usedBytes: number
  readonly reservedBytes: number
}

export function recordedUsage(db: Db, userId: string): Promise<RecordedUsage> {
  return quotasStore.of(db, userId)
}

/** Books `to` in place of `from`. @returns false when something else is booked by now */
export async function correctUsage(
  db: Db,
  userId: string,
  { from, to }: { readonly from: RecordedUsage; readonly to: RecordedUsage },
): Promise<boolean> {
  return quotasStore.replace(db, userId, { from, to })
}
