import type { Db } from '../../kernel/db/index.ts'
import type { SyslogPositionsTable } from './syslog.schema.ts'

/** The only SQL over how far logs were sent. */
export const syslogStore = {
  all: (db: Db): Promise<SyslogPositionsTable[]> =>
    db.selectFrom('syslog_positions').selectAll().orderBy('log').execute(),

  of: (db: Db, log: string): Promise<SyslogPositionsTable | undefined> =>
    db.selectFrom('syslog_positions').selectAll().where('log', '=', log).executeTakeFirst(),

  async insert(db: Db, row: SyslogPositionsTable): Promise<void> {
    await db.insertInto('syslog_positions').values(row).execute()
  },

  async change(db: Db, log: string, change: Partial<Omit<SyslogPositionsTable, 'log'>>): Promise<void> {
    await db.updateTable('syslog_positions').set(change).where('log', '=', log).execute()
  },

  async clear(db: Db): Promise<void> {
    await db.deleteFrom('syslog_positions').execute()
  },
}
