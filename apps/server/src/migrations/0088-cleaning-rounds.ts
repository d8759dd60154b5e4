import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Rounds of cleaning that were asked for or are under way, and whose files they have moved so far. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('storage_cleaning').addColumn('asked_at', 'bigint').execute()
    await db.schema.alterTable('storage_cleaning').addColumn('began_at', 'bigint').execute()
    await db.schema
      .alterTable('storage_cleaning')
      .addColumn('skipped', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('cleaning_moved')
      .addColumn('storage_id', 'integer', (column) => column.notNull().references('storages.id').onDelete('cascade'))
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('files', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('cleaning_moved_primary', ['storage_id', 'user_id'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
