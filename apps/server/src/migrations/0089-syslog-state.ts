import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** What keeps a collector from taking messages, as one of a few reasons, and when it took the last ones. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const table = 'syslog_positions'
    await db.schema
      .alterTable(table)
      .addColumn('reason', 'varchar(20)', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable(table).addColumn('delivered_at', 'bigint').execute()
  },
}
