import type { Db, Tx } from '../../kernel/db/index.ts'
import type { Place } from '../files/index.ts'
import type { RecycleRow } from './recycle.schema.ts'

export interface RecyclePage {
  readonly ownerId: string
  readonly place: Place
  /** Id of the last item had before. */
  readonly before: string | undefined
  readonly limit: number
}

/** The only SQL over `recycle_items`. */
export interface RecycleStore {
  insert(db: Db | Tx, row: RecycleRow): Promise<void>
  /** Newest first. */
  page(db: Db | Tx, page: RecyclePage): Promise<RecycleRow[]>
  byIds(db: Db | Tx, ownerId: string, ids: readonly string[]): Promise<RecycleRow[]>
  /** @returns false when it was gone already */
  remove(db: Db | Tx, id: string): Promise<boolean>
  olderThan(db: Db | Tx, deletedBefore: number, limit: number): Promise<RecycleRow[]>
}

export const recycleStore: RecycleStore = {
  async insert(db, row) {
    await db.insertInto('recycle_items').values(row).execute()
  },
  async page(db, { ownerId, place, before, limit }) {
    const all = db
      .selectFrom('recycle_items')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('space_id', '=', place.spaceId)
      .where('group_id', '=', place.groupId)
    const rest = before === undefined ? all : all.where('id', '<', before)
    return rest.orderBy('id', 'desc').limit(limit).execute()
  },
  async byIds(db, ownerId, ids) {
    const rows: RecycleRow[] = []
    for (let at = 0; at < ids.length; at += 500) {
      const some = db.selectFrom('recycle_items').selectAll().where('owner_id', '=', ownerId)
      rows.push(...(await some.where('id', 'in', ids.slice(at, at + 500)).execute()))
    }
    return rows
  },
  async remove(db, id) {
    return (await db.deleteFrom('recycle_items').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
  },
  olderThan: (db, deletedBefore, limit) =>
    db
      .selectFrom('recycle_items')
      .selectAll()
      .where('deleted_at', '<', deletedBefore)
      .orderBy('deleted_at')
      .limit(limit)
      .execute(),
}
