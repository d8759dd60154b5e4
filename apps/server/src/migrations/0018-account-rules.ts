import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** From when until when an account may be used, and the rules that narrow what it does with files. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const users = db.schema.alterTable('users')
    await users.addColumn('valid_from', 'bigint').execute()
    await users.addColumn('valid_until', 'bigint').execute()
    // JSON; null without any.
    await users.addColumn('file_rules', 'text').execute()
  },
}
