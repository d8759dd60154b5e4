import type { Insertable } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import type { LinkChangeRow } from './links.schema.ts'

/** The only SQL over `link_changes`. */
export const historyStore = {
  async add(tx: Tx, row: Insertable<Tables['link_changes']>): Promise<void> {
    await tx.insertInto('link_changes').values(row).execute()
  },

  /** The newest first. */
  latest(db: Db, linkId: string, limit: number): Promise<LinkChangeRow[]> {
    return db
      .selectFrom('link_changes')
      .selectAll()
      .where('link_id', '=', linkId)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
  },
}
