import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What narrows a space for all its members, and what one member may do in it. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('space_rules')
      .addColumn('space_id', 'integer', (column) => column.primaryKey())
      .addColumn('allowed_addresses', 'varchar(255)', (column) => column.notNull())
      .addColumn('denied_addresses', 'varchar(255)', (column) => column.notNull())
      .addColumn('speed_rules', 'text')
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.alterTable('space_members').addColumn('permission', 'integer').execute()
    await db.schema.alterTable('space_members').addColumn('transfer', 'text').execute()
  },
}
