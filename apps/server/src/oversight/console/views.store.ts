import type { Db, Tx } from '../../kernel/db/index.ts'
import type { ConsoleViewRow } from './views.schema.ts'

/** The only SQL over `console_views`. */
export const viewsStore = {
  /** By name. */
  ofList: (db: Db | Tx, { userId, list }: { readonly userId: string; readonly list: string }) =>
    db
      .selectFrom('console_views')
      .selectAll()
      .where('user_id', '=', userId)
      .where('list', '=', list)
      .orderBy('name_key')
      .execute(),
  byId: (db: Db | Tx, { userId, id }: { readonly userId: string; readonly id: string }) =>
    db.selectFrom('console_views').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),
  async change(tx: Tx, id: string, change: Pick<ConsoleViewRow, 'name' | 'search'>): Promise<void> {
    await tx.updateTable('console_views').set(change).where('id', '=', id).execute()
  },
  async insert(tx: Tx, row: ConsoleViewRow): Promise<void> {
    await tx.insertInto('console_views').values(row).execute()
  },
  async remove(tx: Tx, id: string): Promise<void> {
    await tx.deleteFrom('console_views').where('id', '=', id).execute()
  },
}
