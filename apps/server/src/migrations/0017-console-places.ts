import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Groups are edited in the console by revision, and listed by name over all spaces. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('user_groups')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.createIndex('user_groups_key').on('user_groups').columns(['name_key', 'id']).execute()
  },
}
