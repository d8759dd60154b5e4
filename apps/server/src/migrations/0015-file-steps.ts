import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Changes of the tree on a storage, written down before they are taken. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    // Two keys and two paths of 4,096 bytes, escaped, pass the 64 KiB of MySQL's `text` only in theory.
    const longText = dialectOf(db) === 'mysql' ? sql`mediumtext` : 'text'
    await db.schema
      .createTable('file_steps')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('bucket', 'varchar(64)', (column) => column.notNull())
      .addColumn('job_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('job_at', 'integer', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('reserved_bytes', 'bigint', (column) => column.notNull())
      .addColumn('step', longText, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('file_steps_job').on('file_steps').column('job_id').execute()
    await db.schema.createIndex('file_steps_bucket').on('file_steps').column('bucket').execute()
  },
}
