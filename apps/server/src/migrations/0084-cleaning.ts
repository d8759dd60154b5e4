import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Storages whose old files go to the recycle bin, and when files were opened last. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('storage_cleaning')
      .addColumn('storage_id', 'integer', (column) => column.primaryKey().references('storages.id').onDelete('cascade'))
      .addColumn('basis', 'varchar(16)', (column) => column.notNull())
      .addColumn('days', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('ran_at', 'bigint')
      .addColumn('files', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('file_accesses')
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('path_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_accesses_primary', ['owner_id', 'space_id', 'group_id', 'path_hash'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('file_accesses_at').on('file_accesses').column('at').execute()
  },
}
