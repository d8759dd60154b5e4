import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Who is writing to an upload, and batches of small files on their way into the tree. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    // 10,000 files of one batch pass the 64 KiB of MySQL's `text`.
    const longText = dialectOf(db) === 'mysql' ? sql`longtext` : 'text'
    await db.schema
      .alterTable('uploads')
      .addColumn('fence', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('uploads_state').on('uploads').column('state').execute()
    await db.schema
      .createTable('intake_batches')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('reserved_bytes', 'bigint', (column) => column.notNull())
      .addColumn('files', longText, (column) => column.notNull())
      .addColumn('fence', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('intake_leases')
      .addColumn('subject_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('fence', 'bigint', (column) => column.notNull())
      .addColumn('work', 'varchar(16)', (column) => column.notNull())
      .addColumn('start_at', 'bigint', (column) => column.notNull())
      .addColumn('end_at', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'varchar(32)', (column) => column.notNull())
      .addColumn('is_revoked', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('intake_leases_key', ['subject_id', 'fence'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('intake_leases_owner').on('intake_leases').column('owner').execute()
  },
}
