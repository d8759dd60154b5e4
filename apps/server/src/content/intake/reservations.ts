import { LIMITS } from '@godwit/contract'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/index.ts'

interface Holder {
  readonly userId: string
  readonly groupId: number
}

function ownRows({ userId, groupId }: Holder) {
  return groupId === LIMITS.defaultGroupId ? { user_id: userId, group_id: groupId } : { group_id: groupId }
}

/** Bytes of unfinished uploads that are durable already. */
export async function arrivedBytes(db: Db, holder: Holder): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .innerJoin('upload_spans', 'upload_spans.upload_id', 'uploads.id')
    .select(({ fn, ref }) => fn.sum<number | null>(sql`${ref('end_at')} - ${ref('start_at')}`).as('bytes'))
    .where((where) => where.and(ownRows(holder)))
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
      .where((where) => where.and(whose))
      .executeTakeFirst(),
    db
      .selectFrom('intake_batches')
      .select((select) => select.fn.sum<number | null>('reserved_bytes').as('bytes'))
      .where((where) => where.and(whose))
      .executeTakeFirst(),
  ])
  return sums.reduce((bytes, row) => bytes + Number(row?.bytes ?? 0), 0)
}
