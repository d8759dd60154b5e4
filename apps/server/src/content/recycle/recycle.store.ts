import { LIMITS } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { PlaceIds } from '../access/index.ts'
import type { RecycleRow } from './recycle.schema.ts'

const ROWS_AT_ONCE = 500

export interface RecyclePage {
  readonly ownerId: string
  readonly place: PlaceIds
  /** Id of the last item had before. */
  readonly before: string | undefined
  readonly limit: number
}

export interface RecycleRange {
  readonly ownerId: string
  readonly place: PlaceIds
  /** Id of the item before the first; '' begins with the oldest. */
  readonly after: string
  readonly last: string
  readonly limit: number
}

export interface DueRange extends Pick<RecycleRange, 'after' | 'limit'> {
  readonly deletedBefore: number
}

/** The only SQL over `recycle_items`. */
export interface RecycleStore {
  insert(db: Db | Tx, row: RecycleRow): Promise<void>
  /** Newest first, as `byIds` without what is being deleted for good. */
  page(db: Db | Tx, page: RecyclePage): Promise<RecycleRow[]>
  byIds(db: Db | Tx, ownerId: string, ids: readonly string[]): Promise<RecycleRow[]>
  /** As `byIds`, with what is being deleted for good. */
  ofOwner(db: Db | Tx, ownerId: string, ids: readonly string[]): Promise<RecycleRow[]>
  /** @returns false when it was gone already */
  remove(db: Db | Tx, id: string): Promise<boolean>
  /** A part of it is back in the tree. */
  shrink(db: Db | Tx, id: string, bytes: number): Promise<void>
  /** Everything of a place up to an item and with it, in order of deletion. */
  upTo(db: Db | Tx, page: RecycleRange): Promise<RecycleRow[]>
  /** Some of what an account deleted from its personal files. */
  personalOf(db: Db | Tx, ownerId: string, limit: number): Promise<RecycleRow[]>
  /** Gives the way back up. @returns false when it is gone already */
  markPurging(db: Db | Tx, id: string): Promise<boolean>
  /** Due by age, or left behind by a purge that was cut short, in order of deletion. */
  due(db: Db | Tx, range: DueRange): Promise<RecycleRow[]>
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
      .where('group_id', ofPlace(place), place.groupId)
      .where('purging', '=', 0)
    const rest = before === undefined ? all : all.where('id', '<', before)
    return rest.orderBy('id', 'desc').limit(limit).execute()
  },
  async byIds(db, ownerId, ids) {
    return (await recycleStore.ofOwner(db, ownerId, ids)).filter(({ purging }) => purging === 0)
  },
  async ofOwner(db, ownerId, ids) {
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
  async shrink(db, id, bytes) {
    const item = db.updateTable('recycle_items').where('id', '=', id)
    await item.set((row) => ({ size: row('size', '-', bytes) })).execute()
  },
  upTo: (db, { ownerId, place, after, last, limit }) =>
    db
      .selectFrom('recycle_items')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('space_id', '=', place.spaceId)
      .where('group_id', ofPlace(place), place.groupId)
      .where('id', '>', after)
      .where('id', '<=', last)
      .orderBy('id')
      .limit(limit)
      .execute(),
  personalOf: (db, ownerId, limit) =>
    db
      .selectFrom('recycle_items')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('group_id', '<=', LIMITS.defaultGroupId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  async markPurging(db, id) {
    const marked = db.updateTable('recycle_items').set({ purging: 1 }).where('id', '=', id)
    return (await marked.executeTakeFirst()).numUpdatedRows > 0n
  },
  due: (db, { deletedBefore, after, limit }) =>
    db
      .selectFrom('recycle_items')
      .selectAll()
      .where((where) => where.or([where('deleted_at', '<', deletedBefore), where('purging', '=', 1)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
}

/** Virtual directories, which have numbers below it, are a part of the personal files. */
function ofPlace({ groupId }: PlaceIds): '=' | '<=' {
  return groupId === LIMITS.defaultGroupId ? '<=' : '='
}

/** All that was deleted from a place, in batches. Virtual directories are places of their own here. */
export async function* recycledOf(
  db: Db,
  { ownerId, spaceId, groupId }: PlaceIds & { readonly ownerId: string },
): AsyncGenerator<readonly RecycleRow[], void, void> {
  for (let after = ''; ;) {
    const deleted = db.selectFrom('recycle_items').selectAll().where('id', '>', after)
    const here = deleted.where('space_id', '=', spaceId).where('group_id', '=', groupId)
    const own = groupId === LIMITS.defaultGroupId ? here.where('owner_id', '=', ownerId) : here
    const rows = await own.orderBy('id').limit(ROWS_AT_ONCE).execute()
    yield rows
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)?.id ?? ''
  }
}

/** Bytes in the bin that count for an account's personal files, or for a group. */
export async function recycledBytes(
  db: Db,
  { userId, groupId }: { readonly userId: string; readonly groupId: number },
): Promise<number> {
  const row = await db
    .selectFrom('recycle_items')
    .select((select) => select.fn.sum<number | null>('size').as('bytes'))
    .where((where) =>
      groupId === LIMITS.defaultGroupId
        ? where.and([where('owner_id', '=', userId), where('group_id', '<=', groupId)])
        : where('group_id', '=', groupId),
    )
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}
