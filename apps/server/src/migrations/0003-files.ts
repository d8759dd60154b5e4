import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Long jobs, the recycle bin, and the hashes that stored files should have. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    // 10,000 paths pass the 64 KiB of MySQL's `text`.
    const longText = dialectOf(db) === 'mysql' ? sql`longtext` : 'text'
    await db.schema
      .createTable('jobs')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('kind', 'varchar(40)', (column) => column.notNull())
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('payload', longText, (column) => column.notNull())
      .addColumn('progress', longText, (column) => column.notNull())
      .addColumn('cancel_requested', 'integer', (column) => column.notNull())
      .addColumn('lease_owner', 'varchar(32)', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('run_at', 'bigint', (column) => column.notNull())
      .addColumn('deadline_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'created_at']).execute()
    await db.schema
      .createTable('recycle_items')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('storage_key', 'text', (column) => column.notNull())
      .addColumn('is_folder', 'integer', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('recycle_items_owner').on('recycle_items').columns(['owner_id', 'id']).execute()
    await db.schema.createIndex('recycle_items_age').on('recycle_items').column('deleted_at').execute()
    await db.schema
      .createTable('file_hashes')
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('etag', 'varchar(128)', (column) => column.notNull())
      .addColumn('hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('stored_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_hashes_primary', ['space_id', 'etag'])
      .modifyEnd(options)
      .execute()
  },
}
