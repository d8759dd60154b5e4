import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Sign-ins at identity providers that are under way, and which session came from which of theirs. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('sign_on_flows')
      .addColumn('state_hash', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('key_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('provider_id', 'integer', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('sign_on_flows_expiry').on('sign_on_flows').columns(['expires_at']).execute()
    await db.schema
      .createTable('sign_on_sessions')
      .addColumn('session_id', 'varchar(32)', (column) =>
        column.primaryKey().references('sessions.id').onDelete('cascade'),
      )
      .addColumn('provider_id', 'integer', (column) => column.notNull())
      .addColumn('external_key', 'varchar(255)', (column) => column.notNull())
      .addColumn('external_session', 'varchar(255)', (column) => column.notNull())
      .addColumn('sealed_leave', 'text', (column) => column.notNull())
      .addColumn('proven_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createIndex('sign_on_sessions_person')
      .on('sign_on_sessions')
      .columns(['provider_id', 'external_key'])
      .execute()
  },
}
