import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Tells devices that signed in by a code from programs with a token of their owner's making. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('client_devices')
      .addColumn('by_code', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
