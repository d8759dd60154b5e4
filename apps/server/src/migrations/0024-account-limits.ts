import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** How fast an account may send and receive, and from which addresses it may be used. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const users = db.schema.alterTable('users')
    // JSON; null without any limit.
    await users.addColumn('speed_rules', 'text').execute()
    await users.addColumn('login_addresses', 'varchar(255)', (column) => column.notNull().defaultTo('')).execute()
  },
}
