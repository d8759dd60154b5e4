import { sql } from 'kysely'
import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import type { FailureRow } from './sessions.schema.ts'

/** The only SQL over the counters of failed sign-ins. */
export interface AttemptsStore {
  /** Holds the counter, at zero for whoever has none yet, until the transaction ends: attempts at the same time count one after the other. */
  hold(tx: Tx, dialect: DialectName, subject: string): Promise<FailureRow>
  /** Writes a counter that is held. */
  put(tx: Tx, row: FailureRow): Promise<void>
  clear(db: Db | Tx, subject: string): Promise<void>
  /** One failure less, and open again if it was the one that locked. */
  takeBack(db: Db | Tx, subject: string): Promise<void>
  removeOlder(db: Db | Tx, before: number): Promise<void>
}

export const attemptsStore: AttemptsStore = {
  async hold(tx, dialect, subject) {
    // MySQL locks no single row that is not there, but the gap, which many may hold until each waits for the others.
    const insert = tx.insertInto('sign_in_failures').values({ subject, failures: 0, since: 0, locked_until: 0 })
    await (dialect === 'mysql' ? insert.onDuplicateKeyUpdate({ subject }) : insert.orIgnore()).execute()
    const query = tx.selectFrom('sign_in_failures').selectAll().where('subject', '=', subject)
    // SQLite has one writer at a time and no row locks.
    return (dialect === 'mysql' ? query.forUpdate() : query).executeTakeFirstOrThrow()
  },
  async put(tx, { subject, ...counted }) {
    await tx.updateTable('sign_in_failures').set(counted).where('subject', '=', subject).execute()
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
