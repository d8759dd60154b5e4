import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Licences of the site: the one in force, one that waits for its code, and earlier ones. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('licences')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('licence_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('used_bytes', 'bigint', (column) => column.notNull())
      .addColumn('reminded_days', 'integer')
      .addColumn('installed_at', 'bigint', (column) => column.notNull())
      .addColumn('activated_at', 'bigint')
      .addColumn('installed_by', 'varchar(64)', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('licences_state').on('licences').columns(['state', 'id']).execute()
  },
}
