import { sql } from 'kysely'
import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import type { FailureRow } from './sessions.schema.ts'

/** The only SQL over the counters of failed sign-ins. */
export interface AttemptsStore {
  /** Holds the row until the transaction ends, so that attempts at the same time count one after the other. */
  getForUpdate(tx: Tx, dialect: DialectName, subject: string): Promise<FailureRow | undefined>
  put(tx: Db | Tx, row: FailureRow): Promise<void>
  clear(db: Db | Tx, subject: string): Promise<void>
  /** One failure less, and open again if it was the one that locked. */
  takeBack(db: Db | Tx, subject: string): Promise<void>
  removeOlder(db: Db | Tx, before: number): Promise<void>
}

export const attemptsStore: AttemptsStore = {
  getForUpdate(tx, dialect, subject) {
    const query = tx.selectFrom('sign_in_failures').selectAll().where('subject', '=', subject)
    // SQLite has one writer at a time and no row locks.
    return (dialect === 'mysql' ? query.forUpdate() : query).executeTakeFirst()
  },
  async put(tx, row) {
    await tx.deleteFrom('sign_in_failures').where('subject', '=', row.subject).execute()
    await tx.insertInto('sign_in_failures').values(row).execute()
  },
  async clear(db, subject) {
    await db.deleteFrom('sign_in_failures').where('subject', '=', subject).execute()
  },
  async takeBack(db, subject) {
    await db
      .updateTable('sign_in_failures')
      .set({ failures: sql`failures - 1`, locked_until: 0 })
      .where('subject', '=', subject)
      .where('failures', '>', 0)
      .execute()
  },
  async removeOlder(db, before) {
    await db.deleteFrom('sign_in_failures').where('since', '<', before).where('locked_until', '<', before).execute()
  },
}
