import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** How fast all transfers of a group's library together may be. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('user_groups').addColumn('speed_rules', 'text').execute()
  },
}
