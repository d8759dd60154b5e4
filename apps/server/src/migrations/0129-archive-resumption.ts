import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What lets a zip go on in its middle: checksums of what was sent of it, and which version a reader began. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('archive_checksums')
      .addColumn('content', 'varchar(64)', (column) => column.notNull())
      .addColumn('up_to', 'bigint', (column) => column.notNull())
      .addColumn('checksum', 'bigint', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('archive_checksums_primary', ['content', 'up_to'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('archive_checksums_made').on('archive_checksums').column('made_at').execute()
    await db.schema
      .createTable('archive_starts')
      .addColumn('reader', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('etag', 'varchar(64)', (column) => column.notNull())
      .addColumn('is_moving', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('archive_starts_at').on('archive_starts').column('at').execute()
  },
}
