import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Mail senders, preferences, codes by e-mail, password resets, known addresses, and notices. */
export const migration: Migration = {
  // One piece, because a migration is one step of the timeline.
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('mail_senders')
      .addColumn('owner_id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('from_name', 'varchar(256)', (column) => column.notNull())
      .addColumn('provider', 'integer', (column) => column.notNull())
      .addColumn('account', 'varchar(256)', (column) => column.notNull())
      .addColumn('password_sealed', 'text', (column) => column.notNull())
      .addColumn('host', 'varchar(256)', (column) => column.notNull())
      .addColumn('port', 'integer', (column) => column.notNull())
      .addColumn('encryption', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('user_preferences')
      .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('language', 'varchar(8)', (column) => column.notNull())
      .addColumn('notice_mail', 'integer', (column) => column.notNull())
      .addColumn('email_sender_type', 'integer', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('email_codes')
      .addColumn('purpose', 'varchar(16)', (column) => column.notNull())
      .addColumn('subject', 'varchar(64)', (column) => column.notNull())
      .addColumn('code_mac', 'varchar(64)', (column) => column.notNull())
      .addColumn('user_id', 'varchar(32)')
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('email_codes_primary', ['purpose', 'subject'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('email_codes_age').on('email_codes').column('expires_at').execute()
    await db.schema
      .createTable('password_resets')
      .addColumn('token_hash', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('sign_in_sources')
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('source', 'varchar(64)', (column) => column.notNull())
      .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('sign_in_sources_primary', ['user_id', 'source'])
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('notices')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'varchar(40)', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      // Told twice, an event makes one notice.
      .addColumn('event_key', 'varchar(160)', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('read_at', 'bigint')
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('notices_of_user').on('notices').columns(['user_id', 'id']).execute()
    await db.schema.createIndex('notices_unread').on('notices').columns(['user_id', 'read_at']).execute()
  },
}
