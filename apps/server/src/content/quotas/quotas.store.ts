import { sql } from 'kysely'
import { isDuplicate, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import './quotas.schema.ts'

export interface QuotaChange {
  readonly userId: string
  readonly usedBytes: number
  readonly reservedBytes: number
}

/** The only SQL over `quotas`. Each change is one statement, so that it holds under any number of parallel callers. */
export const quotasStore = {
  /** The row of an account that has none yet. MySQL must take it for writing at once: two that share it could not go on. */
  async ensure(db: Db | Tx, dialect: DialectName, userId: string): Promise<void> {
    const insert = db.insertInto('quotas').values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
    await (dialect === 'mysql' ? insert.onDuplicateKeyUpdate({ user_id: userId }) : insert.orIgnore()).execute()
  },

  async isKnown(db: Db | Tx, userId: string): Promise<boolean> {
    const row = await db.selectFrom('quotas').select('user_id').where('user_id', '=', userId).executeTakeFirst()
    return row !== undefined
  },

  /** @returns false when the reservation would pass `limitBytes` (0: no limit) */
  async reserve(db: Db | Tx, userId: string, bytes: number, limitBytes: number): Promise<boolean> {
    const update = db
      .updateTable('quotas')
      .set({ reserved_bytes: sql`reserved_bytes + ${bytes}` })
      .where('user_id', '=', userId)
    const bounded =
      limitBytes === 0 ? update : update.where(sql`used_bytes + reserved_bytes + ${bytes}`, '<=', limitBytes)
    return (await bounded.executeTakeFirst()).numUpdatedRows > 0n
  },

  /** Adds to both counters; neither falls below 0. */
  async change(db: Db | Tx, { userId, usedBytes, reservedBytes }: QuotaChange): Promise<void> {
    await db
      .updateTable('quotas')
      .set({
        used_bytes: notBelowZero('used_bytes', usedBytes),
        reserved_bytes: notBelowZero('reserved_bytes', reservedBytes),
      })
      .where('user_id', '=', userId)
      .execute()
  },

  async of(db: Db | Tx, userId: string): Promise<{ usedBytes: number; reservedBytes: number }> {
    const row = await db.selectFrom('quotas').selectAll().where('user_id', '=', userId).executeTakeFirst()
    return { usedBytes: Number(row?.used_bytes ?? 0), reservedBytes: Number(row?.reserved_bytes ?? 0) }
  },

  /** Puts `to` in place of `from`; a missing row counts as nothing. @returns false when the row says something else */
  async replace(db: Db, userId: string, { from, to }: Replacement): Promise<boolean> {
    const isNew = from.usedBytes === 0 && from.reservedBytes === 0 && !(await quotasStore.isKnown(db, userId))
    if (isNew) return insertNew(db, userId, to)
    const result = await db
      .updateTable('quotas')
      .set({ used_bytes: to.usedBytes, reserved_bytes: to.reservedBytes })
      .where('user_id', '=', userId)
      .where('used_bytes', '=', from.usedBytes)
      .where('reserved_bytes', '=', from.reservedBytes)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
}

interface Counters {
  readonly usedBytes: number
  readonly reservedBytes: number
}

interface Replacement {
  readonly from: Counters
  readonly to: Counters
}

/** @returns false when somebody made the row at this very moment */
async function insertNew(db: Db, user_id: string, { usedBytes, reservedBytes }: Counters): Promise<boolean> {
  try {
    await db.insertInto('quotas').values({ user_id, used_bytes: usedBytes, reserved_bytes: reservedBytes }).execute()
    return true
  } catch (thrown) {
    if (isDuplicate(thrown)) return false
    throw thrown
  }
}

function notBelowZero(column: 'used_bytes' | 'reserved_bytes', delta: number) {
  const sum = sql`${sql.ref(column)} + ${delta}`
  return sql<number>`case when ${sum} < 0 then 0 else ${sum} end`
}
