import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Whether the switch of a space paused the server, which then takes everything again afterwards. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('space_moves')
      .addColumn('paused_server', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
