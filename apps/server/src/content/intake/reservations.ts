import { LIMITS } from '@godwit/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../kernel/db/index.ts'

interface Holder {
  readonly userId: string
  readonly groupId: number
}

/** Those of an account with its virtual directories, or all of a group. */
function ownRows({ userId, groupId }: Holder) {
  return groupId === LIMITS.defaultGroupId
    ? sql<SqlBool>`user_id = ${userId} and group_id <= ${groupId}`
    : sql<SqlBool>`group_id = ${groupId}`
}

/** Bytes of unfinished uploads that are durable already. */
export async function arrivedBytes(db: Db, holder: Holder): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .innerJoin('upload_spans', 'upload_spans.upload_id', 'uploads.id')
    .select(({ fn, ref }) => fn.sum<number | null>(sql`${ref('end_at')} - ${ref('start_at')}`).as('bytes'))
    .where(ownRows(holder))
    .where('state', 'in', ['open', 'processing'])
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** Bytes that unfinished uploads and batches have reserved: those of an account in its personal files, or all of a group. */
export async function reservedBytes(db: Db, place: Holder): Promise<number> {
  const whose = ownRows(place)
  const sums = await Promise.all([
    db
      .selectFrom('uploads')
      .select((select) => select.fn.sum<number | null>('reserved_bytes').as('bytes'))
      .where(whose)
      .executeTakeFirst(),
    db
      .selectFrom('intake_batches')
      .select((select) => select.fn.sum<number | null>('reserved_bytes').as('bytes'))
      .where(whose)
      .executeTakeFirst(),
  ])
  return sums.reduce((bytes, row) => bytes + Number(row?.bytes ?? 0), 0)
}
