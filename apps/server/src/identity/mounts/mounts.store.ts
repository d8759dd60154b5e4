import { dialectOf, type Db, type Tx } from '../../kernel/db/index.ts'
import type { MountRow } from './mounts.schema.ts'

/** The only SQL over `mounts`. */
export const mountsStore = {
  /** Those in use, in the order in which they were made. */
  ofUser: (db: Db | Tx, userId: string): Promise<MountRow[]> =>
    inUse(db).where('user_id', '=', userId).orderBy('id').execute(),

  /** All in use, by account. */
  all: (db: Db | Tx): Promise<MountRow[]> => inUse(db).orderBy('user_id').orderBy('id').execute(),

  /** Also one that is not in use any more. */
  byId: (db: Db | Tx, id: number): Promise<MountRow | undefined> =>
    db.selectFrom('mounts').selectAll().where('id', '=', id).executeTakeFirst(),

  /** One in use, as it is now; nobody else changes it until the transaction ends. SQLite has one writer at a time. */
  hold: (tx: Tx, id: number): Promise<MountRow | undefined> =>
    inUse(tx)
      .where('id', '=', id)
      .$if(dialectOf(tx) === 'mysql', (query) => query.forUpdate())
      .executeTakeFirst(),

  /** @returns its id */
  async insert(tx: Tx, row: Omit<MountRow, 'id'>): Promise<number> {
    const { insertId } = await tx.insertInto('mounts').values(row).executeTakeFirstOrThrow()
    return Number(insertId)
  },

  async change(tx: Tx, id: number, change: Partial<Omit<MountRow, 'id'>>): Promise<void> {
    await tx.updateTable('mounts').set(change).where('id', '=', id).execute()
  },

  /** Those not in use any more. */
  removed: (db: Db | Tx): Promise<MountRow[]> =>
    db.selectFrom('mounts').selectAll().where('removed_at', 'is not', null).orderBy('id').execute(),

  async forget(tx: Tx, id: number): Promise<void> {
    await tx.deleteFrom('mounts').where('id', '=', id).execute()
  },
}

function inUse(db: Db | Tx) {
  return db.selectFrom('mounts').selectAll().where('removed_at', 'is', null)
}
