import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Addresses that are called when something happens, and the calls. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('hooks')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('name_key', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('url', 'varchar(1024)', (column) => column.notNull())
      .addColumn('secret_sealed', 'text', (column) => column.notNull())
      .addColumn('events', 'text', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('remark', 'text', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .addColumn('given_up', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('hook_deliveries')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('hook_id', 'varchar(32)', (column) => column.notNull().references('hooks.id').onDelete('cascade'))
      .addColumn('event', 'varchar(64)', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('reason', 'varchar(16)')
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('tried_at', 'bigint')
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createIndex('hook_deliveries_due')
      .on('hook_deliveries')
      .columns(['hook_id', 'state', 'next_at'])
      .execute()
    await db.schema.createIndex('hook_deliveries_of_hook').on('hook_deliveries').columns(['hook_id', 'id']).execute()
    await db.schema.createIndex('hook_deliveries_age').on('hook_deliveries').columns(['created_at']).execute()
  },
}
