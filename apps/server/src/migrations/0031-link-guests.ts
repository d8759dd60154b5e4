import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What owners ask the guests of an invite link, and what those answered. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('links').addColumn('guest_form', 'text').execute()
    await db.schema
      .createTable('link_guests')
      .addColumn('visit_id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('entry', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('link_guests_link').on('link_guests').columns(['link_id', 'at']).execute()
  },
}
