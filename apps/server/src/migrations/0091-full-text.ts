import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** The index of the texts of documents. All of it is derived from the storages and can be rebuilt. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const isMysql = dialectOf(db) === 'mysql'
    // Both databases then keep the rows in the order of the key, which is how they are read.
    const clustered = isMysql ? tableOptions('mysql') : sql`without rowid`
    await db.schema
      .createTable('full_text_places')
      .addColumn('root_id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('next_slot', 'bigint', (column) => column.notNull())
      .addColumn('filled_n', 'bigint', (column) => column.notNull())
      .addColumn('fill_to', 'bigint', (column) => column.notNull())
      .addColumn('limit_bytes', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema
      .createTable('full_text_queue')
      .addColumn('root_id', 'integer', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('changes', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('retry_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('full_text_queue_primary', ['root_id', 'n'])
      .modifyEnd(clustered)
      .execute()
    await db.schema
      .createTable('full_text_documents')
      .addColumn('root_id', 'integer', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('slot', 'bigint')
      .addColumn('reason', 'varchar(16)', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('modified_ms', 'bigint', (column) => column.notNull())
      .addColumn('etag', 'varchar(255)', (column) => column.notNull())
      .addPrimaryKeyConstraint('full_text_documents_primary', ['root_id', 'n'])
      .addUniqueConstraint('full_text_documents_slot', ['root_id', 'slot'])
      .modifyEnd(clustered)
      .execute()
    await db.schema
      .createTable('full_text_texts')
      .addColumn('root_id', 'integer', (column) => column.notNull())
      .addColumn('slot', 'bigint', (column) => column.notNull())
      .addColumn('packed', isMysql ? sql`longtext` : 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('full_text_texts_primary', ['root_id', 'slot'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema
      .createTable('full_text_terms')
      .addColumn('root_id', 'integer', (column) => column.notNull())
      .addColumn('block', 'integer', (column) => column.notNull())
      .addColumn('term', 'varchar(24)', (column) => column.notNull())
      .addColumn('slots', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('full_text_terms_primary', ['root_id', 'block', 'term'])
      .modifyEnd(clustered)
      .execute()
  },
}
