import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** The API token that began or resumed an upload, whose rights its grant has; '' for a session and for a guest. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('uploads')
      .addColumn('api_token_id', 'varchar(32)', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
