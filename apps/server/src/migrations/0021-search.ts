import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

type Clustered = ReturnType<typeof tableOptions>

/** The index of names. All of it is derived from the storages and can be rebuilt. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('search_roots')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('next_n', 'bigint', (column) => column.notNull())
      .addColumn('scan_round', 'integer', (column) => column.notNull())
      .addColumn('needs_work', 'integer', (column) => column.notNull())
      .addColumn('retry_at', 'bigint', (column) => column.notNull())
      .addColumn('scanned_at', 'bigint')
      .addUniqueConstraint('search_roots_place', ['owner_id', 'space_id', 'group_id'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('search_roots_work').on('search_roots').column('needs_work').execute()
    // Both databases then keep the rows in the order of the key, which is how they are read.
    const clustered = dialectOf(db) === 'mysql' ? options : sql`without rowid`
    await createTree(db, clustered)
    await createGrams(db, clustered)
  },
}

async function createTree(db: Kysely<never>, clustered: Clustered): Promise<void> {
  await db.schema
    .createTable('search_folders')
    .addColumn('root_id', 'integer', (column) => column.notNull())
    .addColumn('n', 'bigint', (column) => column.notNull())
    .addColumn('parent_n', 'bigint', (column) => column.notNull())
    .addColumn('name', 'varchar(255)', (column) => column.notNull())
    .addColumn('disk_name', 'varchar(255)', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('scan_round', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_folders_primary', ['root_id', 'n'])
    .addUniqueConstraint('search_folders_name', ['root_id', 'parent_n', 'name'])
    .modifyEnd(clustered)
    .execute()
  await db.schema.createIndex('search_folders_round').on('search_folders').columns(['root_id', 'scan_round']).execute()
  await db.schema
    .createTable('search_entries')
    .addColumn('root_id', 'integer', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('n', 'bigint', (column) => column.notNull())
    .addColumn('parent_n', 'bigint', (column) => column.notNull())
    .addColumn('name', 'varchar(255)', (column) => column.notNull())
    .addColumn('name_key', 'varchar(1024)', (column) => column.notNull())
    .addColumn('ending', 'varchar(64)', (column) => column.notNull())
    .addColumn('is_folder', 'integer', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('modified_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_entries_primary', ['root_id', 'block', 'n'])
    .addUniqueConstraint('search_entries_name', ['root_id', 'parent_n', 'name'])
    .modifyEnd(clustered)
    .execute()
}

async function createGrams(db: Kysely<never>, clustered: Clustered): Promise<void> {
  await db.schema
    .createTable('search_grams')
    .addColumn('root_id', 'integer', (column) => column.notNull())
    .addColumn('gram', 'varchar(3)', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_grams_primary', ['root_id', 'block', 'gram'])
    .modifyEnd(clustered)
    .execute()
}
