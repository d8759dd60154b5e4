import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What became of each link, and the orders in which the console lists everybody's links. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    await db.schema
      .createTable('link_changes')
      .addColumn('seq', dialect === 'mysql' ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('change_kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('by_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialect))
      .execute()
    await db.schema.createIndex('link_changes_link').on('link_changes').columns(['link_id', 'seq']).execute()
    // Of what happened before, the beginning is known.
    await sql`
      insert into link_changes (link_id, change_kind, by_id, at)
      select id, 'created', owner_id, created_at from links`.execute(db)
    for (const column of ['created_at', 'expires_at', 'label', 'status', 'download_count', 'upload_count'])
      await db.schema.createIndex(`links_by_${column}`).on('links').columns(['url_type', column, 'id']).execute()
  },
}
