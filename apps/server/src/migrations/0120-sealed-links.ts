import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Links whose files the browsers of their people encrypt. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('links')
      .addColumn('sealed_by', 'varchar(32)', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
