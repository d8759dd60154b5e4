import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Storages are edited by more than one administrator. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const storages = db.schema.alterTable('storages')
    await storages.addColumn('revision', 'integer', (column) => column.notNull().defaultTo(1)).execute()
  },
}
