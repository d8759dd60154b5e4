import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What WebDAV keeps with files: locks, and the properties that its clients set. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    await db.schema
      .createTable('file_locks')
      .addColumn('token', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('api_token_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('key_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('storage_key', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('is_deep', 'integer', (column) => column.notNull())
      .addColumn('is_shared', 'integer', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialect))
      .execute()
    await db.schema.createIndex('file_locks_space').on('file_locks').columns(['space_id', 'key_hash']).execute()
    await db.schema.createIndex('file_locks_user').on('file_locks').column('user_id').execute()
    await db.schema.createIndex('file_locks_end').on('file_locks').column('expires_at').execute()
    await db.schema
      .createTable('file_properties')
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('key_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('storage_key', 'text', (column) => column.notNull())
      .addColumn('properties', dialect === 'mysql' ? sql`mediumtext` : 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_properties_key', ['space_id', 'key_hash'])
      .modifyEnd(tableOptions(dialect))
      .execute()
    // MySQL indexes the beginning of a text only; 200 characters tell almost all folders apart.
    const key = dialect === 'mysql' ? sql`storage_key(200)` : sql`storage_key`
    await sql`create index file_properties_tree on file_properties (space_id, ${key})`.execute(db)
  },
}
