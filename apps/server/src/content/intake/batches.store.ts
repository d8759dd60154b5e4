import type { Db, Tx } from '../../kernel/db/index.ts'
import type { BatchRow } from './intake.schema.ts'

/** The only SQL over `intake_batches`. */
export const batchesStore = {
  async insert(db: Db | Tx, row: BatchRow): Promise<void> {
    await db.insertInto('intake_batches').values(row).execute()
  },

  all(db: Db | Tx): Promise<BatchRow[]> {
    return db.selectFrom('intake_batches').selectAll().orderBy('id').execute()
  },

  async isOpenFor(db: Db | Tx, userId: string): Promise<boolean> {
    const open = db.selectFrom('intake_batches').select('id').where('user_id', '=', userId)
    return (await open.executeTakeFirst()) !== undefined
  },

  /** @returns false when it was gone already */
  async remove(db: Db | Tx, id: string): Promise<boolean> {
    const result = await db.deleteFrom('intake_batches').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
}
