import type { Db, Tx } from '../../kernel/db/index.ts'
import type { LinkGuestRow } from './links.schema.ts'

/** The only SQL over `link_guests`. */
export const guestsStore = {
  /** The last answer of a visit counts. */
  async put(tx: Tx, row: LinkGuestRow): Promise<void> {
    await tx.deleteFrom('link_guests').where('visit_id', '=', row.visit_id).execute()
    await tx.insertInto('link_guests').values(row).execute()
  },

  async has(db: Db | Tx, visitId: string): Promise<boolean> {
    const row = await db.selectFrom('link_guests').select('visit_id').where('visit_id', '=', visitId).executeTakeFirst()
    return row !== undefined
  },

  /** Answers by visit. */
  async entriesOf(db: Db, visitIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (visitIds.length === 0) return new Map()
    const rows = await db
      .selectFrom('link_guests')
      .select(['visit_id', 'entry'])
      .where('visit_id', 'in', [...new Set(visitIds)])
      .execute()
    return new Map(rows.map(({ visit_id: id, entry }) => [id, entry]))
  },
}
