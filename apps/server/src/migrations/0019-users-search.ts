import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Accounts are listed by e-mail and searched by index, and only the rows of a page are read. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createIndex('users_search')
      .on('users')
      .columns(['account_key', 'email_key', 'name', 'id'])
      .execute()
  },
}
