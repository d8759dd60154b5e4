import { LIMITS } from '@godwit/contract'
import type { Db } from '../../../kernel/db/index.ts'
import { unfinishedJobs } from '../../../kernel/queue/index.ts'
import type { TransferPayload } from './transfers.ts'

/** Bytes that copies under way have reserved: in an account's personal files, or in a group. */
export async function promisedBytes(
  db: Db,
  { userId, groupId }: { readonly userId: string; readonly groupId: number },
): Promise<number> {
  const ownerId = groupId === LIMITS.defaultGroupId ? userId : undefined
  const rows = await unfinishedJobs(db, { ownerId, kinds: ['copy'] })
  const payloads = rows.map(({ payload }) => JSON.parse(payload) as TransferPayload)
  const own = payloads.filter((payload) => (payload.groupId ?? LIMITS.defaultGroupId) === groupId)
  return own.reduce((bytes, { underWay }) => bytes + (underWay?.reserved ?? 0), 0)
}
