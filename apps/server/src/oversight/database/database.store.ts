import type { Db, Tx } from '../../kernel/db/index.ts'
import type { DatabaseCopiesTable } from './database.schema.ts'

/** The only SQL over `database_copies`. */
export const databaseCopiesStore = {
  latest: (db: Db | Tx): Promise<DatabaseCopiesTable | undefined> =>
    db.selectFrom('database_copies').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst(),
  byId: (db: Db | Tx, id: string): Promise<DatabaseCopiesTable | undefined> =>
    db.selectFrom('database_copies').selectAll().where('id', '=', id).executeTakeFirst(),
  async replace(tx: Tx, row: DatabaseCopiesTable): Promise<void> {
    await tx.deleteFrom('database_copies').execute()
    await tx.insertInto('database_copies').values(row).execute()
  },
  async change(db: Db | Tx, id: string, change: Partial<Omit<DatabaseCopiesTable, 'id'>>): Promise<void> {
    await db.updateTable('database_copies').set(change).where('id', '=', id).execute()
  },
}
