import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Links for people of the site: whom each names, and who of them opened it. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .alterTable('links')
      .addColumn('audience', 'varchar(16)', (column) => column.notNull().defaultTo('anyone'))
      .execute()
    await db.schema.createIndex('links_audience').on('links').columns(['audience', 'created_at']).execute()
    await db.schema
      .alterTable('link_visits')
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createTable('link_people')
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('link_people_primary', ['link_id', 'user_id'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('link_people_user').on('link_people').column('user_id').execute()
    await db.schema
      .createTable('link_groups')
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('group_id', 'integer', (column) => column.notNull().references('user_groups.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('link_groups_primary', ['link_id', 'group_id'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('link_groups_group').on('link_groups').column('group_id').execute()
    await db.schema
      .createTable('link_openings')
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_openings_primary', ['link_id', 'user_id'])
      .modifyEnd(options)
      .execute()
  },
}
