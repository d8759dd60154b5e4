import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** The site's own images, where every node finds them. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    await db.schema
      .createTable('branding_images')
      .addColumn('asset', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('type', 'varchar(8)', (column) => column.notNull())
      .addColumn('hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('content', dialect === 'mysql' ? sql`mediumtext` : 'text', (column) => column.notNull())
      .modifyEnd(tableOptions(dialect))
      .execute()
  },
}
