import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Until when a device counts as connected. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('client_devices')
      .addColumn('connected_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
