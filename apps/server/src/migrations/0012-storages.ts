import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Storages as data: a row for each, which spaces use them, and which one each place was made on. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('storages')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'varchar(32)', (column) => column.notNull())
      .addColumn('name_key', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('kind', 'varchar(20)', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('marked_at', 'bigint')
      .addColumn('checked_at', 'bigint')
      .addColumn('error', 'varchar(64)', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('space_storages')
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('storage_id', 'integer', (column) => column.notNull().references('storages.id'))
      .addColumn('is_default', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('space_storages_primary', ['space_id', 'storage_id'])
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('places')
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('storage_id', 'integer', (column) => column.notNull().references('storages.id'))
      .addPrimaryKeyConstraint('places_primary', ['owner_id', 'space_id', 'group_id'])
      .modifyEnd(options)
      .execute()
    // Where people have been, everything was on the one disk, also what they left behind in spaces they are no longer members
    // of. A new installation makes its first storage at its first start.
    const user = await sql`select id from users limit 1`.execute(db)
    if (user.rows.length === 0) return
    await sql`insert into storages (id, name, name_key, kind, settings, sealed_secret, created_at, error)
      values (1, 'Local', 'local', 'local', '{"folder":"files"}', '', 0, '')`.execute(db)
    await sql`insert into space_storages (space_id, storage_id, is_default) values (1, 1, 1)`.execute(db)
    await sql`insert into places (owner_id, space_id, group_id, storage_id)
      select users.id, known.id, 0, 1 from users, (select 1 as id union select id from spaces) as known`.execute(db)
  },
}
