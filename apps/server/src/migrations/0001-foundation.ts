import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Facts, events, accounts, sessions and the counters of failed sign-ins. */
export const migration: Migration = {
  // One piece, because a migration is one step of the timeline.
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('facts')
      .addColumn('name', 'varchar(100)', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('outbox')
      .addColumn('seq', dialectOf(db) === 'mysql' ? 'bigint' : 'integer', (column) =>
        column.primaryKey().autoIncrement(),
      )
      .addColumn('type', 'varchar(100)', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('users')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('account', 'varchar(64)', (column) => column.notNull())
      .addColumn('account_key', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('email', 'varchar(256)', (column) => column.notNull())
      .addColumn('email_key', 'varchar(256)', (column) => column.unique())
      .addColumn('account_type', 'integer', (column) => column.notNull())
      .addColumn('is_admin', 'integer', (column) => column.notNull())
      .addColumn('is_super', 'integer', (column) => column.notNull())
      .addColumn('password_hash', 'varchar(256)', (column) => column.notNull())
      .addColumn('must_reset', 'integer', (column) => column.notNull())
      .addColumn('locked', 'integer', (column) => column.notNull())
      .addColumn('permission', 'integer', (column) => column.notNull())
      .addColumn('quota_bytes', 'bigint')
      .addColumn('home', 'varchar(128)', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('retired_homes')
      .addColumn('home', 'varchar(128)', (column) => column.primaryKey())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('refresh_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('user_agent', 'varchar(256)', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
    await db.schema
      .createTable('spent_refresh_tokens')
      .addColumn('refresh_hash', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('session_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('spent_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('sign_in_failures')
      .addColumn('subject', 'varchar(300)', (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('locked_until', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
  },
}
