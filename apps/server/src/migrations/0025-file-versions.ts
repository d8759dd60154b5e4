import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Contents of files that were replaced. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    await db.schema
      .createTable('file_versions')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('bucket', 'varchar(64)', (column) => column.notNull())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('key_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('storage_key', 'text', (column) => column.notNull())
      .addColumn('version_key', 'varchar(255)', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('modified_at', 'bigint', (column) => column.notNull())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addColumn('kept_by', 'text', (column) => column.notNull())
      .addColumn('removing', 'integer', (column) => column.notNull().defaultTo(0))
      .modifyEnd(tableOptions(dialect))
      .execute()
    const index = (name: string) => db.schema.createIndex(`file_versions_${name}`).on('file_versions')
    await index('file').columns(['space_id', 'key_hash']).execute()
    await index('bucket').column('bucket').execute()
    await index('removing').column('removing').execute()
    // MySQL indexes the beginning of a text only; 200 characters tell almost all folders apart.
    const key = dialect === 'mysql' ? sql`storage_key(200)` : sql`storage_key`
    await sql`create index file_versions_key on file_versions (space_id, ${key})`.execute(db)
  },
}
