import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Certificates of the site: the one in force with its sealed key, and earlier ones without theirs. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    // A chain may pass the 64 KiB of MySQL's `text`.
    const longText = dialectOf(db) === 'mysql' ? sql`mediumtext` : 'text'
    await db.schema
      .createTable('certificates')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('in_force', 'integer', (column) => column.notNull())
      .addColumn('source', 'varchar(16)', (column) => column.notNull())
      .addColumn('pem', longText, (column) => column.notNull())
      .addColumn('sealed_key', 'text', (column) => column.notNull())
      .addColumn('not_after', 'bigint', (column) => column.notNull())
      .addColumn('reminded_days', 'integer', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addColumn('added_by', 'varchar(64)', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('certificates_force').on('certificates').columns(['in_force', 'id']).execute()
  },
}
