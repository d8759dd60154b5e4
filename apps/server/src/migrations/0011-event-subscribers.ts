import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** How far each subscriber has come with the durable events, and the events that one of them could not handle. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema.alterTable('outbox').addColumn('position', 'bigint').execute()
    await db.schema.createIndex('outbox_position').on('outbox').column('position').unique().execute()
    await db.schema
      .createTable('outbox_sequence')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('outbox_subscribers')
      .addColumn('name', 'varchar(100)', (column) => column.primaryKey())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('lease_owner', 'varchar(64)', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('retry_at', 'bigint', (column) => column.notNull())
      .addColumn('error', 'varchar(500)', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('outbox_parked')
      .addColumn('subscriber', 'varchar(100)', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('type', 'varchar(100)', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('error', 'varchar(500)', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('parked_at', 'bigint', (column) => column.notNull())
      .addColumn('retry', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('outbox_parked_primary', ['subscriber', 'position'])
      .modifyEnd(options)
      .execute()
  },
}
