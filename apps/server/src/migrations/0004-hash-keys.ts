import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Where a file with a noted hash stands, so that one that is gone can be told from one that was changed; items being deleted for good. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    await db.schema
      .createTable('file_hashes_by_key')
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('key_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('etag', 'varchar(128)', (column) => column.notNull())
      .addColumn('storage_key', 'text')
      .addColumn('hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('stored_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_hashes_by_key_primary', ['space_id', 'key_hash', 'etag'])
      .modifyEnd(tableOptions(dialect))
      .execute()
    await sql`insert into file_hashes_by_key (space_id, key_hash, etag, storage_key, hash, stored_at)
      select space_id, '', etag, null, hash, stored_at from file_hashes`.execute(db)
    await db.schema.dropTable('file_hashes').execute()
    await db.schema.alterTable('file_hashes_by_key').renameTo('file_hashes').execute()
    await db.schema.createIndex('file_hashes_etag').on('file_hashes').columns(['space_id', 'etag']).execute()
    // MySQL indexes the beginning of a text only; 200 characters tell almost all folders apart.
    const key = dialect === 'mysql' ? sql`storage_key(200)` : sql`storage_key`
    await sql`create index file_hashes_key on file_hashes (space_id, ${key})`.execute(db)
    await db.schema
      .alterTable('recycle_items')
      .addColumn('purging', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
