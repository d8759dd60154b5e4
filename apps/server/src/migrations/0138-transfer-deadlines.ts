import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** When a transfer is to have arrived, and by how much it comes too late. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    for (const name of ['deadline', 'late_ms'] as const)
      await db.schema
        .alterTable('transfers')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
  },
}
