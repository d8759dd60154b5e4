import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../../kernel/db/index.ts'

export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('favorites')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('path', 'varchar(512)', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('favorites_user').on('favorites').columns(['user_id', 'id']).execute()
  },
}
