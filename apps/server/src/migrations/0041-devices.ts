import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Sign-ins by a code that a person confirms in the browser, and devices with the transfer client. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('device_logins')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('secret_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('user_code', 'varchar(16)', (column) => column.notNull().unique())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('platform', 'varchar(32)', (column) => column.notNull())
      .addColumn('version', 'varchar(20)', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('user_id', 'varchar(32)', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('stamp', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('device_logins_expiry').on('device_logins').columns(['expires_at']).execute()
    await db.schema
      .createTable('client_devices')
      .addColumn('api_token_id', 'varchar(32)', (column) =>
        column.primaryKey().references('api_tokens.id').onDelete('cascade'),
      )
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('platform', 'varchar(32)', (column) => column.notNull())
      .addColumn('version', 'varchar(20)', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('client_devices_seen').on('client_devices').columns(['last_seen_at']).execute()
  },
}
