import { sql } from 'kysely'
import { isDuplicate, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import './quotas.schema.ts'

export interface QuotaChange {
  readonly bucket: string
  readonly usedBytes: number
  readonly reservedBytes: number
}

/** The only SQL over `quotas`. Each change is one statement, so that it holds under any number of parallel callers. */
export const quotasStore = {
  /** The row of a bucket that has none yet. MySQL must take it for writing at once: two that share it could not go on. */
  async ensure(db: Db | Tx, dialect: DialectName, bucket: string): Promise<void> {
    const insert = db.insertInto('quotas').values({ user_id: bucket, used_bytes: 0, reserved_bytes: 0 })
    await (dialect === 'mysql' ? insert.onDuplicateKeyUpdate({ user_id: bucket }) : insert.orIgnore()).execute()
  },

  async forget(tx: Tx, bucket: string): Promise<void> {
    await tx.deleteFrom('quotas').where('user_id', '=', bucket).execute()
  },

  async isKnown(db: Db | Tx, bucket: string): Promise<boolean> {
    const row = await db.selectFrom('quotas').select('user_id').where('user_id', '=', bucket).executeTakeFirst()
    return row !== undefined
  },

  /** @returns false when the reservation would pass `limitBytes` (0: no limit) */
  async reserve(db: Db | Tx, bucket: string, bytes: number, limitBytes: number): Promise<boolean> {
    const update = db
      .updateTable('quotas')
      .set({ reserved_bytes: sql`reserved_bytes + ${bytes}` })
      .where('user_id', '=', bucket)
    const bounded =
      limitBytes === 0 ? update : update.where(sql`used_bytes + reserved_bytes + ${bytes}`, '<=', limitBytes)
    return (await bounded.executeTakeFirst()).numUpdatedRows > 0n
  },

  /** Adds to both counters; neither falls below 0. */
  async change(db: Db | Tx, { bucket, usedBytes, reservedBytes }: QuotaChange): Promise<void> {
    await db
      .updateTable('quotas')
      .set({
        used_bytes: notBelowZero('used_bytes', usedBytes),
        reserved_bytes: notBelowZero('reserved_bytes', reservedBytes),
      })
      .where('user_id', '=', bucket)
      .execute()
  },

  async of(db: Db | Tx, bucket: string): Promise<{ usedBytes: number; reservedBytes: number }> {
    const row = await db.selectFrom('quotas').selectAll().where('user_id', '=', bucket).executeTakeFirst()
    return { usedBytes: Number(row?.used_bytes ?? 0), reservedBytes: Number(row?.reserved_bytes ?? 0) }
  },

  /** Bytes kept and reserved in several buckets; those without a row have none. */
  async ofMany(db: Db | Tx, buckets: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (buckets.length === 0) return new Map()
    const rows = await db.selectFrom('quotas').selectAll().where('user_id', 'in', buckets).execute()
    return new Map(rows.map((row) => [row.user_id, Number(row.used_bytes) + Number(row.reserved_bytes)]))
  },

  /** Puts `to` in place of `from`; a missing row counts as nothing. @returns false when the row says something else */
  async replace(db: Db, bucket: string, { from, to }: Replacement): Promise<boolean> {
    const isNew = from.usedBytes === 0 && from.reservedBytes === 0 && !(await quotasStore.isKnown(db, bucket))
    if (isNew) return insertNew(db, bucket, to)
    const result = await db
      .updateTable('quotas')
      .set({ used_bytes: to.usedBytes, reserved_bytes: to.reservedBytes })
      .where('user_id', '=', bucket)
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
