import { LIMITS } from '@godwit/contract'
import type { Db } from '../../kernel/db/index.ts'

/** Bytes that unfinished uploads and batches have reserved: those of an account in its personal files, or all of a group. */
export async function reservedBytes(
  db: Db,
  place: { readonly userId: string; readonly groupId: number },
): Promise<number> {
  const { userId, groupId } = place
  const whose = groupId === LIMITS.defaultGroupId ? { user_id: userId, group_id: groupId } : { group_id: groupId }
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
