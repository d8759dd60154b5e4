import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** The task of an upload by a client: what of it is in the intake can be given up with the transfer. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('transfers')
      .addColumn('task', 'varchar(32)', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
