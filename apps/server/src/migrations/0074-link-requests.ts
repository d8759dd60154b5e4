import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What owners of invite links ask for, and what came for it. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('links').addColumn('request', 'text').execute()
    await db.schema
      .createTable('link_arrivals')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('visit_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('recipient', 'varchar(320)', (column) => column.notNull())
      .addColumn('item', 'varchar(16)', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('link_arrivals_link').on('link_arrivals').columns(['link_id', 'id']).execute()
  },
}
