import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What nodes share when there is no Redis: leases, counts of calls and signals. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const isMysql = dialectOf(db) === 'mysql'
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('leases')
      .addColumn('id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('scope', 'varchar(64)', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('owner', 'varchar(64)', (column) => column.notNull())
      .addColumn('value', 'varchar(255)', (column) => column.notNull())
      .addColumn('token', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('leases_scope').on('leases').column('scope').execute()
    await db.schema.createIndex('leases_expiry').on('leases').column('expires_at').execute()
    await db.schema
      .createTable('call_counts')
      .addColumn('id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('call_counts_end').on('call_counts').column('ends_at').execute()
    await db.schema
      .createTable('bus_messages')
      .addColumn('seq', isMysql ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('node', 'varchar(32)', (column) => column.notNull())
      .addColumn('text', isMysql ? sql`mediumtext` : 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('bus_messages_age').on('bus_messages').column('created_at').execute()
  },
}
