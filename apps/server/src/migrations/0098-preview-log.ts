import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Who looked at which file, from when to when. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('preview_views')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('visit_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('viewer', 'varchar(256)', (column) => column.notNull())
      .addColumn('link', 'varchar(256)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('search_text', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('is_over', 'integer', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('preview_views_started').on('preview_views').column('started_at').execute()
    await db.schema.createIndex('preview_views_user').on('preview_views').columns(['user_id', 'id']).execute()
  },
}
