import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** The move of a whole space, as the console began it; its places have rows of their own. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('space_moves')
      .addColumn('space_id', 'integer', (column) => column.primaryKey())
      .addColumn('to_storage', 'integer', (column) => column.notNull())
      .addColumn('task', 'varchar(16)', (column) => column.notNull())
      .addColumn('job_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('error', 'varchar(64)', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
