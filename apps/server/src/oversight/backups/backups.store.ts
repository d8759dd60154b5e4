import type { Db, Tx } from '../../kernel/db/index.ts'
import type { BackupsTable, BackupState } from './backups.schema.ts'

/** Rows that are shown and kept at most, whatever they are. */
const ROWS_MAX = 200

/** The only SQL over `backups`. */
export const backupsStore = {
  async insert(db: Db | Tx, row: BackupsTable): Promise<void> {
    await db.insertInto('backups').values(row).execute()
  },
  async change(db: Db | Tx, id: string, change: Partial<BackupsTable>): Promise<void> {
    await db.updateTable('backups').set(change).where('id', '=', id).execute()
  },
  byId: (db: Db, id: string): Promise<BackupsTable | undefined> =>
    db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst(),
  /** Newest first. */
  all: (db: Db): Promise<BackupsTable[]> =>
    db.selectFrom('backups').selectAll().orderBy('id', 'desc').limit(ROWS_MAX).execute(),
  inState: (db: Db, state: BackupState): Promise<BackupsTable[]> =>
    db.selectFrom('backups').selectAll().where('state', '=', state).orderBy('id', 'desc').execute(),
  lastScheduled: (db: Db): Promise<BackupsTable | undefined> =>
    db
      .selectFrom('backups')
      .selectAll()
      .where('occasion', '=', 'schedule')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  async remove(db: Db, id: string): Promise<void> {
    await db.deleteFrom('backups').where('id', '=', id).execute()
  },
}
