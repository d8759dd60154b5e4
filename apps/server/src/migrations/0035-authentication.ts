import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Directories that accounts come from, which account comes from where, and what synchronizations did. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await createProviders(db)
    await createAccounts(db)
    await createSyncs(db)
  },
}

async function createProviders(db: Kysely<never>): Promise<void> {
  // Certificates and the list of groups may pass the 64 KiB of MySQL's `text`.
  const longText = dialectOf(db) === 'mysql' ? sql`mediumtext` : 'text'
  await db.schema
    .createTable('auth_providers')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('kind', 'varchar(16)', (column) => column.notNull())
    .addColumn('name', 'varchar(64)', (column) => column.notNull())
    .addColumn('name_key', 'varchar(255)', (column) => column.notNull().unique())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('settings', longText, (column) => column.notNull())
    .addColumn('sealed_secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .modifyEnd(tableOptions(dialectOf(db)))
    .execute()
}

async function createAccounts(db: Kysely<never>): Promise<void> {
  const options = tableOptions(dialectOf(db))
  await db.schema
    .createTable('external_accounts')
    .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('provider_id', 'integer', (column) => column.notNull())
    .addColumn('external_key', 'varchar(255)', (column) => column.notNull())
    .addColumn('login', 'varchar(255)', (column) => column.notNull())
    .addColumn('locked_by_sync', 'integer', (column) => column.notNull())
    .addUniqueConstraint('external_accounts_key', ['provider_id', 'external_key'])
    .modifyEnd(options)
    .execute()
  await db.schema
    .createTable('external_members')
    .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('group_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('external_members_primary', ['user_id', 'group_id'])
    .modifyEnd(options)
    .execute()
}

async function createSyncs(db: Kysely<never>): Promise<void> {
  const options = tableOptions(dialectOf(db))
  await db.schema
    .createTable('directory_syncs')
    .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
    .addColumn('provider_id', 'integer', (column) => column.notNull())
    .addColumn('provider_name', 'varchar(64)', (column) => column.notNull())
    .addColumn('dry_run', 'integer', (column) => column.notNull())
    .addColumn('state', 'varchar(16)', (column) => column.notNull())
    .addColumn('started_by', 'varchar(64)', (column) => column.notNull())
    .addColumn('locks_max', 'integer')
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('read_entries', 'integer', (column) => column.notNull())
    .addColumn('written', 'integer', (column) => column.notNull())
    .addColumn('counts', 'varchar(255)', (column) => column.notNull())
    .addColumn('error', 'varchar(64)', (column) => column.notNull())
    .modifyEnd(options)
    .execute()
  await db.schema.createIndex('directory_syncs_provider').on('directory_syncs').columns(['provider_id', 'id']).execute()
  await db.schema
    .createTable('directory_sync_changes')
    .addColumn('sync_id', 'varchar(32)', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('kind', 'varchar(8)', (column) => column.notNull())
    .addColumn('account', 'varchar(255)', (column) => column.notNull())
    .addColumn('detail', 'varchar(255)', (column) => column.notNull())
    .addPrimaryKeyConstraint('directory_sync_changes_primary', ['sync_id', 'seq'])
    .modifyEnd(options)
    .execute()
}
