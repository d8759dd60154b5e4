import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Tickets of plain links, which all nodes know. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    await db.schema
      .createTable('tickets')
      .addColumn('hash', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('purpose', 'varchar(16)', (column) => column.notNull())
      .addColumn('content', dialect === 'mysql' ? sql`mediumtext` : 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialect))
      .execute()
    await db.schema.createIndex('tickets_expire').on('tickets').column('expires_at').execute()
  },
}
