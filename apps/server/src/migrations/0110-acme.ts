import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Certificates that the server orders itself: accounts at authorities, challenges under way, and how the last order ended. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('acme_accounts')
      .addColumn('id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('directory', 'varchar(512)', (column) => column.notNull())
      .addColumn('sealed_key', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('acme_challenges')
      .addColumn('token', 'varchar(128)', (column) => column.primaryKey())
      .addColumn('answer', 'varchar(255)', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('acme_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('wanted_at', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('tried_at', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('reason', 'varchar(16)', (column) => column.notNull())
      .addColumn('words', 'varchar(1000)', (column) => column.notNull())
      .addColumn('settings_id', 'varchar(64)', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
  },
}
