import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What each account keeps, and its uploads with what of them is durable. */
export const migration: Migration = {
  // One piece, because a migration is one step of the timeline.
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    // A whole tree of hashes, or a list of partial uploads, may pass the 64 KiB of MySQL's `text`.
    const longText = dialectOf(db) === 'mysql' ? sql`mediumtext` : 'text'
    await db.schema
      .createTable('quotas')
      .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('used_bytes', 'bigint', (column) => column.notNull())
      .addColumn('reserved_bytes', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('uploads')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('session_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('grant_hash', 'varchar(64)')
      .addColumn('grant_stamp', 'varchar(64)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('carrier', 'varchar(16)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('root_key', 'varchar(255)', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('conflict', 'varchar(16)', (column) => column.notNull())
      .addColumn('size', 'bigint')
      .addColumn('part_size', 'bigint', (column) => column.notNull())
      .addColumn('last_modified', 'bigint', (column) => column.notNull())
      .addColumn('declared_hash', 'varchar(64)')
      .addColumn('declared_sha256', 'varchar(64)')
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('pieces', longText, (column) => column.notNull())
      .addColumn('store_upload', 'text', (column) => column.notNull())
      .addColumn('reserved_bytes', 'bigint', (column) => column.notNull())
      .addColumn('publishing', 'text')
      .addColumn('result', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('uploads_user').on('uploads').columns(['user_id', 'state']).execute()
    await db.schema.createIndex('uploads_expiry').on('uploads').column('expires_at').execute()
    await db.schema
      .createTable('upload_spans')
      .addColumn('upload_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('start_at', 'bigint', (column) => column.notNull())
      .addColumn('end_at', 'bigint', (column) => column.notNull())
      .addColumn('nodes', longText, (column) => column.notNull())
      .addPrimaryKeyConstraint('upload_spans_key', ['upload_id', 'start_at'])
      .modifyEnd(options)
      .execute()
  },
}
