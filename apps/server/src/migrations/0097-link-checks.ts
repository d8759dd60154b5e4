import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Files of which a recipient of a link has proven to have a whole copy. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('link_checks')
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('address_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('file_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_checks_primary', ['link_id', 'address_hash', 'file_hash'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
