import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** The pair that a renewal replaced, until the new one is used: the answer with the new pair may never have arrived. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('sessions').addColumn('previous_token_hash', 'varchar(64)').execute()
    await db.schema.alterTable('sessions').addColumn('previous_refresh_hash', 'varchar(64)').execute()
    for (const column of ['previous_token_hash', 'previous_refresh_hash'])
      await db.schema.createIndex(`sessions_${column}`).on('sessions').column(column).execute()
  },
}
