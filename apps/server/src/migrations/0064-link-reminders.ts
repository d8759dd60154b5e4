import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Which end of a link its owner was reminded of, and when those who are missing were reminded. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    for (const column of ['reminded_of', 'chased_at'] as const)
      await db.schema
        .alterTable('links')
        .addColumn(column, 'bigint', (to) => to.notNull().defaultTo(0))
        .execute()
  },
}
