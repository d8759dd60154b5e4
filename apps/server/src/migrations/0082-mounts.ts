import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Virtual directories: folders of storages under names in homes. Numbers are never given again, so rows are kept. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('mounts')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('alias', 'varchar(255)', (column) => column.notNull())
      .addColumn('alias_key', 'varchar(512)', (column) => column.notNull())
      .addColumn('storage_id', 'integer', (column) => column.notNull().references('storages.id'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('path_key', 'text', (column) => column.notNull())
      .addColumn('permission', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('removed_at', 'bigint')
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('mounts_user').on('mounts').column('user_id').execute()
  },
}
