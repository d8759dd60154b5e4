import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Whether the installation is paused, and the last order to stop or start anew. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('server_state')
      .addColumn('name', 'varchar(16)', (column) => column.primaryKey())
      .addColumn('paused_at', 'bigint')
      .addColumn('order_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('order_kind', 'varchar(16)', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
