import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** SAML: answers that browsers post, and the key that requests are signed with. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const isMysql = dialectOf(db) === 'mysql'
    await db.schema
      .alterTable('sign_on_flows')
      .addColumn('posted', isMysql ? sql`mediumtext` : 'text')
      .execute()
    await db.schema
      .createTable('saml_signers')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('certificate', 'text', (column) => column.notNull())
      .addColumn('sealed_key', 'text', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
