import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What links share, entry by entry, so that each is followed and told from a later one of the same name. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const isMysql = dialectOf(db) === 'mysql'
    await db.schema
      .createTable('link_targets')
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('owner_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('path_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('etag', 'varchar(255)', (column) => column.notNull())
      .addColumn('alias', 'varchar(255)', (column) => column.notNull())
      .addColumn('is_lost', 'integer', (column) => column.notNull())
      .addColumn('recycle_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('recycled_path', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_targets_primary', ['link_id', 'at'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    const place = ['owner_id', 'space_id', 'group_id'] as const
    await db.schema
      .createIndex('link_targets_path')
      .on('link_targets')
      .columns(['path_hash', ...place])
      .execute()
    // MySQL's keys end at 3,072 bytes.
    const byPath = sql`create index link_targets_tree on link_targets (owner_id, space_id, group_id, ${sql.raw(isMysql ? 'path(255)' : 'path')})`
    await byPath.execute(db)
    await db.schema.createIndex('link_targets_recycled').on('link_targets').column('recycle_id').execute()
    await db.schema.createIndex('link_entries_link').on('link_entries').column('link_id').execute()
    await db.schema
      .alterTable('links')
      .addColumn('lost_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await carryTargets(db as unknown as Kysely<OldTables>)
    for (const column of ['folder', 'entries', 'aliases'])
      await db.schema.alterTable('links').dropColumn(column).execute()
  },
}

interface OldTables {
  readonly links: Readonly<Record<'id' | 'owner_id' | 'folder' | 'entries' | 'aliases', string>> &
    Readonly<Record<'src_type' | 'space_id' | 'group_id', number>>
  readonly link_targets: Readonly<Record<string, string | number>>
}

const ROWS_AT_ONCE = 500
const FOLDER = 1

/** Tags of what was shared before are not known: such links follow their entries, and cannot tell them apart. */
async function carryTargets(db: Kysely<OldTables>): Promise<void> {
  const known = await db
    .selectFrom('links')
    .select(['id', 'owner_id', 'space_id', 'group_id', 'folder', 'entries', 'aliases', 'src_type'])
    .execute()
  for (const { id, owner_id, space_id, group_id, folder, entries, aliases, src_type } of known) {
    const names = JSON.parse(entries) as string[]
    const given = JSON.parse(aliases) as ReadonlyArray<{ readonly file: string; readonly alias: string }>
    const base = folder === '/' ? '' : folder
    const paths = src_type === FOLDER && names.length === 0 ? [folder] : names.map((name) => `${base}/${name}`)
    const rows = paths.map((path, at) => ({
      ...{ link_id: id, at, owner_id: group_id === 0 ? owner_id : '', space_id, group_id, path },
      path_hash: createHash('sha256').update(path).digest('hex'),
      alias: given.find(({ file }) => file === names[at])?.alias ?? '',
      ...{ etag: '', is_lost: 0, recycle_id: '', recycled_path: '' },
    }))
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await db
        .insertInto('link_targets')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .execute()
  }
}
