import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Groups with their members; small files on their way know the group they are for. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('user_groups')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('name', 'varchar(32)', (column) => column.notNull())
      .addColumn('name_key', 'varchar(255)', (column) => column.notNull())
      .addColumn('quota_bytes', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('user_groups_name', ['space_id', 'name_key'])
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('group_members')
      .addColumn('group_id', 'integer', (column) => column.notNull().references('user_groups.id'))
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('permission', 'integer', (column) => column.notNull())
      .addColumn('is_admin', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('group_members_primary', ['group_id', 'user_id'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('group_members_user').on('group_members').column('user_id').execute()
    await db.schema
      .alterTable('intake_batches')
      .addColumn('group_id', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
