import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Transfers by a browser and by other programs stand beside those by clients; an upload knows the transfer it is part of. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('transfers')
      .addColumn('door', 'varchar(16)', (column) => column.notNull().defaultTo('transfer'))
      .execute()
    await db.schema
      .alterTable('transfers')
      .addColumn('is_cleared', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('uploads')
      .addColumn('transfer_id', 'varchar(32)', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
