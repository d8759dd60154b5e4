import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What happened to files and folders, in the order in which it was committed. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const isMysql = dialectOf(db) === 'mysql'
    await db.schema
      .createTable('file_activity')
      .addColumn('n', isMysql ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('path_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('parent_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('from_path', 'text', (column) => column.notNull())
      .addColumn('from_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('from_group_id', 'integer', (column) => column.notNull())
      .addColumn('type', 'varchar(32)', (column) => column.notNull())
      .addColumn('entry', 'varchar(8)', (column) => column.notNull())
      .addColumn('replaces', 'integer', (column) => column.notNull())
      .addColumn('recycle_id', 'varchar(64)', (column) => column.notNull())
      .addColumn('etag', 'varchar(255)', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    const place = ['owner_id', 'space_id', 'group_id'] as const
    for (const name of ['path_hash', 'parent_hash', 'from_hash'] as const) {
      await db.schema
        .createIndex(`file_activity_${name}`)
        .on('file_activity')
        .columns([...place, name, 'n'])
        .execute()
    }
    await db.schema.createIndex('file_activity_recycled').on('file_activity').column('recycle_id').execute()
  },
}
