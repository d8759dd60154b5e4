import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Places on their way to another storage, and what of them is there already. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('place_moves')
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('from_storage', 'integer', (column) => column.notNull())
      .addColumn('to_storage', 'integer', (column) => column.notNull())
      .addColumn('round', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('switched_at', 'bigint')
      .addPrimaryKeyConstraint('place_moves_primary', ['owner_id', 'space_id', 'group_id'])
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('place_copies')
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('key_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('storage_key', 'text', (column) => column.notNull())
      .addColumn('is_folder', 'integer', (column) => column.notNull())
      .addColumn('from_etag', 'varchar(128)', (column) => column.notNull())
      .addColumn('to_etag', 'varchar(128)', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('round', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('place_copies_primary', ['owner_id', 'space_id', 'group_id', 'key_hash'])
      .modifyEnd(options)
      .execute()
  },
}
