import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What became of the files of accounts that were removed. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('removed_accounts')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('account', 'varchar(64)', (column) => column.notNull())
      .addColumn('name', 'varchar(255)', (column) => column.notNull())
      .addColumn('home', 'varchar(255)', (column) => column.notNull())
      .addColumn('removed_at', 'bigint', (column) => column.notNull())
      .addColumn('removed_by', 'varchar(64)', (column) => column.notNull())
      .addColumn('files', 'varchar(16)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('job_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('to_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('to_account', 'varchar(64)', (column) => column.notNull())
      .addColumn('folders', 'text', (column) => column.notNull())
      .addColumn('staged_on', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('error', 'text', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('removed_accounts_time').on('removed_accounts').columns(['removed_at', 'id']).execute()
  },
}
