import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** How far each log was sent to a syslog collector. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('syslog_positions')
      .addColumn('log', 'varchar(20)', (column) => column.primaryKey())
      .addColumn('position', 'varchar(64)', (column) => column.notNull())
      .addColumn('error', 'varchar(255)', (column) => column.notNull())
      .addColumn('tried_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
