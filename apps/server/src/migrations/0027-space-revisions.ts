import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Spaces are edited by more than one administrator, and their ids are never given again. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const spaces = db.schema.alterTable('spaces')
    await spaces.addColumn('revision', 'integer', (column) => column.notNull().defaultTo(1)).execute()
    await spaces.addColumn('removed_at', 'bigint').execute()
    // The first space has a row from now on, for its revision alone.
    const first = { id: 1, name: '', name_key: '', created_at: 0, revision: 1, removed_at: null }
    await db
      .insertInto('spaces' as never)
      .values(first)
      .execute()
  },
}
