import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Entries that people marked as favorites, and those that they worked with lately. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const isMysql = dialectOf(db) === 'mysql'
    await db.schema
      .createTable('entry_marks')
      .addColumn('n', isMysql ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('path_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('parent_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('action', 'varchar(16)', (column) => column.notNull())
      .addColumn('recycle_id', 'varchar(64)', (column) => column.notNull())
      .addColumn('recycled_path', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema
      .createIndex('entry_marks_one')
      .unique()
      .on('entry_marks')
      .columns(['user_id', 'kind', 'space_id', 'group_id', 'path_hash', 'recycle_id'])
      .execute()
    await db.schema
      .createIndex('entry_marks_list')
      .on('entry_marks')
      .columns(['user_id', 'kind', 'space_id', 'n'])
      .execute()
    await db.schema
      .createIndex('entry_marks_folder')
      .on('entry_marks')
      .columns(['parent_hash', 'user_id', 'kind'])
      .execute()
    await db.schema
      .createIndex('entry_marks_path')
      .on('entry_marks')
      .columns(['path_hash', 'space_id', 'group_id'])
      .execute()
    await db.schema.createIndex('entry_marks_recycled').on('entry_marks').column('recycle_id').execute()
    // MySQL's keys end at 3,072 bytes.
    const byPath = sql`create index entry_marks_tree on entry_marks (space_id, group_id, ${sql.raw(isMysql ? 'path(255)' : 'path')})`
    await byPath.execute(db)
  },
}
