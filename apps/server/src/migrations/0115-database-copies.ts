import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** The copy of the database to another server, which the console can switch to. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('database_copies')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('sealed_password', 'text', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('reason', 'varchar(512)', (column) => column.notNull())
      .addColumn('tables', 'text', (column) => column.notNull())
      .addColumn('job_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
