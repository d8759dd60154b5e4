import type { Db, Tx } from '../../kernel/db/index.ts'

/** The only SQL over `sign_in_sources`. */
export interface SourcesStore {
  isKnown(db: Db | Tx, userId: string, source: string): Promise<boolean>
  /** Newest first. */
  of(db: Db | Tx, userId: string): Promise<string[]>
  add(tx: Tx, row: { readonly user_id: string; readonly source: string; readonly first_seen_at: number }): Promise<void>
  remove(tx: Tx, userId: string, sources: readonly string[]): Promise<void>
}

export const sourcesStore: SourcesStore = {
  async isKnown(db, userId, source) {
    const found = await db
      .selectFrom('sign_in_sources')
      .select('source')
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .executeTakeFirst()
    return found !== undefined
  },
  async of(db, userId) {
    const rows = await db
      .selectFrom('sign_in_sources')
      .select('source')
      .where('user_id', '=', userId)
      .orderBy('first_seen_at', 'desc')
      .execute()
    return rows.map(({ source }) => source)
  },
  async add(tx, row) {
    await tx.insertInto('sign_in_sources').values(row).execute()
  },
  async remove(tx, userId, sources) {
    if (sources.length === 0) return
    await tx.deleteFrom('sign_in_sources').where('user_id', '=', userId).where('source', 'in', sources).execute()
  },
}
