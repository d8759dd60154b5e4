import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Settings with values at several places, and their history. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('setting_values')
      .addColumn('name', 'varchar(100)', (column) => column.notNull())
      .addColumn('scope', 'varchar(8)', (column) => column.notNull())
      .addColumn('scope_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('setting_values_primary', ['scope', 'scope_id', 'name'])
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('setting_values_name').on('setting_values').column('name').execute()
    // Until now every setting was the site's.
    await sql`insert into setting_values (name, scope, scope_id, value) select name, 'site', '', value from settings`.execute(
      db,
    )
    await db.schema.dropTable('settings').execute()
    await db.schema
      .createTable('setting_history')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('name', 'varchar(100)', (column) => column.notNull())
      .addColumn('scope', 'varchar(8)', (column) => column.notNull())
      .addColumn('scope_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('by_kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('by_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('door', 'varchar(16)', (column) => column.notNull())
      .addColumn('old_value', 'text')
      .addColumn('new_value', 'text')
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('setting_history_name').on('setting_history').columns(['name', 'id']).execute()
  },
}
