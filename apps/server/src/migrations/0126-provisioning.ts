import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Accounts and groups that an identity management keeps by SCIM, and the connection that it comes by. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('scim_connections')
      .addColumn('name', 'varchar(16)', (column) => column.primaryKey())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('new_accounts', 'varchar(16)', (column) => column.notNull())
      .addColumn('permission', 'integer', (column) => column.notNull())
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_by', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint')
      .addColumn('used_at', 'bigint')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('scim_accounts')
      .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('external_id', 'varchar(255)', (column) => column.notNull())
      .addColumn('user_name', 'varchar(255)', (column) => column.notNull())
      .addColumn('user_name_key', 'varchar(255)', (column) => column.notNull().unique())
      .addColumn('given_name', 'varchar(255)', (column) => column.notNull())
      .addColumn('family_name', 'varchar(255)', (column) => column.notNull())
      .addColumn('locked_by_scim', 'integer', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('scim_accounts_external').on('scim_accounts').columns(['external_id']).execute()
    await db.schema
      .createTable('scim_groups')
      .addColumn('group_id', 'integer', (column) =>
        column.primaryKey().references('user_groups.id').onDelete('cascade'),
      )
      .addColumn('external_id', 'varchar(255)', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('scim_groups_external').on('scim_groups').columns(['external_id']).execute()
  },
}
