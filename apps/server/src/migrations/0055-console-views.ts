import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** How administrators look at lists of the console. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('console_views')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('list', 'varchar(32)', (column) => column.notNull())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('name_key', 'varchar(128)', (column) => column.notNull())
      .addColumn('search', 'text', (column) => column.notNull())
      .addUniqueConstraint('console_views_name', ['user_id', 'list', 'name_key'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
