import type { Db, Tx } from '../../kernel/db/index.ts'
import type { TransferRow } from './transfers.schema.ts'
import { CONNECTED_STATES, RESTING_STATES } from './transfers.machine.ts'

export type TransferChange = Partial<Omit<TransferRow, 'id' | 'user_id' | 'created_at'>>

/** The only SQL over `transfers`. */
export const transfersStore = {
  async insert(db: Db | Tx, row: TransferRow): Promise<void> {
    await db.insertInto('transfers').values(row).execute()
  },

  byId(db: Db | Tx, id: string): Promise<TransferRow | undefined> {
    return db.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst()
  },

  /** Newest first. */
  ofUser(db: Db, userId: string, limit: number): Promise<TransferRow[]> {
    const own = db.selectFrom('transfers').selectAll().where('user_id', '=', userId)
    return own.orderBy('id', 'desc').limit(limit).execute()
  },

  /** Changes it if it is still in the state that the caller saw. @returns whether it was */
  async change(
    db: Db | Tx,
    { id, state }: Pick<TransferRow, 'id' | 'state'>,
    change: TransferChange,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('transfers')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', state)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Those that say they are connected and that nobody has touched for long: their process is gone. */
  silent(db: Db, before: number): Promise<TransferRow[]> {
    return db
      .selectFrom('transfers')
      .selectAll()
      .where('state', 'in', CONNECTED_STATES)
      .where('updated_at', '<', before)
      .limit(100)
      .execute()
  },

  async noteTask(db: Db, id: string, task: string): Promise<void> {
    await db.updateTable('transfers').set({ task }).where('id', '=', id).execute()
  },

  past(db: Db, now: number): Promise<TransferRow[]> {
    return db
      .selectFrom('transfers')
      .selectAll()
      .where('state', 'in', RESTING_STATES)
      .where('expires_at', '<', now)
      .limit(100)
      .execute()
  },
}
