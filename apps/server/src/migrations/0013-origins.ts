import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Who began an upload or a batch of small files, and by which door: JSON, '' for rows from before. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    for (const table of ['uploads', 'intake_batches']) {
      await db.schema
        .alterTable(table)
        .addColumn('origin', 'varchar(200)', (column) => column.notNull().defaultTo(''))
        .execute()
    }
  },
}
