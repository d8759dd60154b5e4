import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Whether the administrators with a role have to sign in with a second factor. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('roles')
      .addColumn('second_factor', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
