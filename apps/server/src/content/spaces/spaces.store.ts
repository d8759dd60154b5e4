import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SpaceRow } from './spaces.schema.ts'

/** The only SQL over spaces. */
export const spacesStore = {
  /** Also those that were removed. */
  all: (db: Db | Tx): Promise<SpaceRow[]> => db.selectFrom('spaces').selectAll().orderBy('id').execute(),
  async insert(db: Db | Tx, row: SpaceRow): Promise<void> {
    await db.insertInto('spaces').values(row).execute()
  },
  /** @returns false when somebody was first */
  async changeAt(
    tx: Tx,
    { id, revision }: { readonly id: number; readonly revision: number },
    change: Partial<Omit<SpaceRow, 'id'>>,
  ): Promise<boolean> {
    const update = tx.updateTable('spaces').set({ ...change, revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
}
