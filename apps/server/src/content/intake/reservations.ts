import type { Db } from '../../kernel/db/index.ts'

/** Bytes that unfinished uploads and batches have reserved for an account. */
export async function reservedBytes(db: Db, userId: string): Promise<number> {
  const sums = await Promise.all([
    db
      .selectFrom('uploads')
      .select((select) => select.fn.sum<number | null>('reserved_bytes').as('bytes'))
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('intake_batches')
      .select((select) => select.fn.sum<number | null>('reserved_bytes').as('bytes'))
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  ])
  return sums.reduce((bytes, row) => bytes + Number(row?.bytes ?? 0), 0)
}
