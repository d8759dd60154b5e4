import type { Db } from '../../../kernel/db/index.ts'
import { unfinishedJobs } from '../../../kernel/queue/index.ts'
import type { TransferPayload } from './transfers.ts'

/** Bytes that copies under way have reserved for an account. */
export async function promisedBytes(db: Db, userId: string): Promise<number> {
  const rows = await unfinishedJobs(db, { ownerId: userId, kind: 'copy' })
  const payloads = rows.map(({ payload }) => JSON.parse(payload) as TransferPayload)
  return payloads.reduce((bytes, { underWay }) => bytes + (underWay?.reserved ?? 0), 0)
}
