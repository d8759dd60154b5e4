import { dialectOf, type Db } from '../../kernel/db/index.ts'
import type { ArchiveChecksumsTable, ArchiveStartsTable } from './archives.schema.ts'

/** Rows of one statement. */
const ROWS_AT_ONCE = 500

/** The only SQL over `archive_checksums` and `archive_starts`. */
export const archivesStore = {
  /** What is known already stays: it is the same. */
  async addChecksums(db: Db, rows: readonly ArchiveChecksumsTable[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const insert = db.insertInto('archive_checksums').values(rows.slice(at, at + ROWS_AT_ONCE))
      await (dialectOf(db) === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
    }
  },

  /** All that is known of some contents, the longest last. */
  checksumsOf(db: Db, contents: readonly string[]): Promise<ArchiveChecksumsTable[]> {
    return db
      .selectFrom('archive_checksums')
      .selectAll()
      .where('content', 'in', contents)
      .orderBy('content')
      .orderBy('up_to')
      .execute()
  },

  start(db: Db, reader: string): Promise<ArchiveStartsTable | undefined> {
    return db.selectFrom('archive_starts').selectAll().where('reader', '=', reader).executeTakeFirst()
  },

  async putStart(db: Db, row: ArchiveStartsTable): Promise<void> {
    const { etag, is_moving, at } = row
    const change = { etag, is_moving, at }
    const insert = db.insertInto('archive_starts').values(row)
    if (dialectOf(db) === 'mysql') await insert.onDuplicateKeyUpdate(change).execute()
    else await insert.onConflict((conflict) => conflict.column('reader').doUpdateSet(change)).execute()
  },

  async forget(db: Db, before: { readonly checksums: number; readonly starts: number }): Promise<void> {
    await db.deleteFrom('archive_checksums').where('made_at', '<', before.checksums).execute()
    await db.deleteFrom('archive_starts').where('at', '<', before.starts).execute()
  },
}
