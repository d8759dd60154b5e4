import type { Db, Tx } from '../../kernel/db/index.ts'
import type { FavoritesTable } from './favorites.schema.ts'

/** The only SQL over `favorites`. */
export const favoritesStore = {
  async insert(tx: Tx, row: FavoritesTable): Promise<void> {
    await tx.insertInto('favorites').values(row).execute()
  },
  /** Newest first. */
  ofUser: (db: Db | Tx, userId: string): Promise<FavoritesTable[]> =>
    db.selectFrom('favorites').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute(),
  async remove(db: Db, ids: readonly string[]): Promise<void> {
    await db.deleteFrom('favorites').where('id', 'in', ids).execute()
  },
}
