import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Accounts whose owners have yet to choose a password, by a link that was mailed to them. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('invitations')
      .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('invitations_token').on('invitations').column('token_hash').unique().execute()
  },
}
