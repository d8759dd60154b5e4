import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Notices that administrators write. What their readers have is in `notices`. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('announcements')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('title_en', 'varchar(256)', (column) => column.notNull())
      .addColumn('text_en', 'text', (column) => column.notNull())
      .addColumn('title_zh', 'varchar(256)', (column) => column.notNull())
      .addColumn('text_zh', 'text', (column) => column.notNull())
      .addColumn('channels', 'varchar(32)', (column) => column.notNull())
      .addColumn('audience', 'text', (column) => column.notNull())
      .addColumn('author', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('send_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      // The last account that was reached.
      .addColumn('position', 'varchar(32)', (column) => column.notNull())
      .addColumn('reached', 'integer', (column) => column.notNull())
      .addColumn('mailed', 'integer', (column) => column.notNull())
      .addColumn('read_count', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('announcements_due').on('announcements').columns(['state', 'send_at']).execute()
  },
}
