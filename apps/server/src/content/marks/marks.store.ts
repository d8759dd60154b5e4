import { LIMITS } from '@godwit/contract'
import { dialectOf, type Db, type Tx } from '../../kernel/db/index.ts'
import type { PlaceIds } from '../access/index.ts'
import { folderOf, hashOfPath, type FileEvent } from '../file-events/index.ts'
import type { MarkKind, MarkRow } from './marks.schema.ts'

/** Values a statement may bind: SQLite allows 32,766. */
const ROWS_PER_STATEMENT = 500

export type NewMark = Pick<MarkRow, 'user_id' | 'kind' | 'space_id' | 'group_id' | 'path' | 'action' | 'at'>

/** Whose marks of which kind. */
export interface Marker {
  readonly userId: string
  readonly kind: MarkKind
}

interface Listed extends Marker {
  readonly spaceId: number
  readonly before: number
  readonly limit: number
}

/** The only SQL over `entry_marks`. */
export const marksStore = {
  /** Marks entries, or marks them anew: the last of the list is the newest. No path twice. */
  async put(tx: Tx, rows: readonly NewMark[]): Promise<void> {
    for (const { user_id: userId, kind, space_id: spaceId, group_id: groupId, paths } of byPlace(rows))
      await marksStore.remove(tx, { userId, kind }, { spaceId, groupId }, paths)
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      const insert = tx
        .insertInto('entry_marks')
        .values(
          rows
            .slice(at, at + ROWS_PER_STATEMENT)
            .map((row) => ({ ...row, ...hashesOf(row.path), recycle_id: '', recycled_path: '' })),
        )
      // Two pages may mark the same entry at once.
      await (dialectOf(tx) === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
    }
  },

  /** Takes marks off entries that are there. */
  async remove(tx: Tx, { userId, kind }: Marker, { spaceId, groupId }: PlaceIds, paths: readonly string[]) {
    for (let at = 0; at < paths.length; at += ROWS_PER_STATEMENT)
      await tx
        .deleteFrom('entry_marks')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('space_id', '=', spaceId)
        .where('group_id', '=', groupId)
        .where('path_hash', 'in', paths.slice(at, at + ROWS_PER_STATEMENT).map(hashOfPath))
        .where('recycle_id', '=', '')
        .execute()
  },

  async removeOne(tx: Tx, { n }: Pick<MarkRow, 'n'>): Promise<void> {
    await tx.deleteFrom('entry_marks').where('n', '=', n).execute()
  },

  async count(tx: Tx, { userId, kind }: Marker): Promise<number> {
    const { count } = await tx
      .selectFrom('entry_marks')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  /** Keeps the newest. */
  async trim(tx: Tx, { userId, kind }: Marker, keep: number): Promise<void> {
    const last = await ofMarker(tx, { userId, kind }).select('n').orderBy('n', 'desc').offset(keep).limit(1).execute()
    const [oldest] = last
    if (oldest === undefined) return
    await tx
      .deleteFrom('entry_marks')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('n', '<=', oldest.n)
      .execute()
  },

  /** The newest first, without what is in the recycle bin. */
  async list(db: Db, { userId, kind, spaceId, before, limit }: Listed): Promise<MarkRow[]> {
    const rows = await ofMarker(db, { userId, kind })
      .selectAll()
      .where('space_id', '=', spaceId)
      .where('recycle_id', '=', '')
      .where('n', '<', before)
      .orderBy('n', 'desc')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...row, n: Number(row.n), at: Number(row.at) }))
  },

  /** Paths right in a folder. */
  async inFolder(
    db: Db,
    { userId, kind }: Marker,
    { spaceId, groupId }: PlaceIds,
    folder: string,
  ): Promise<readonly string[]> {
    const rows = await ofMarker(db, { userId, kind })
      .select('path')
      .where('parent_hash', '=', hashOfPath(folder))
      .where('space_id', '=', spaceId)
      .where('group_id', '=', groupId)
      .where('recycle_id', '=', '')
      .execute()
    return rows.map(({ path }) => path)
  },

  /** Everybody's marks of an entry; of a folder also those below it. Nothing that is in the recycle bin. */
  async within(tx: Tx, event: FileEvent, path: string): Promise<MarkRow[]> {
    const { userId, spaceId, groupId, kind } = event
    const inPlace = tx
      .selectFrom('entry_marks')
      .selectAll()
      .where('space_id', '=', spaceId)
      .where('group_id', '=', groupId)
      .where('recycle_id', '=', '')
    const there = groupId === LIMITS.defaultGroupId ? inPlace.where('user_id', '=', userId) : inPlace
    const exact = await there.where('path_hash', '=', hashOfPath(path)).execute()
    if (kind === 'file') return exact
    // '0' comes after '/'.
    return [...exact, ...(await there.where('path', '>=', `${path}/`).where('path', '<', `${path}0`).execute())]
  },

  recycledWith: (tx: Tx, recycleId: string): Promise<MarkRow[]> =>
    tx.selectFrom('entry_marks').selectAll().where('recycle_id', '=', recycleId).execute(),

  async removeRecycled(tx: Tx, recycleId: string): Promise<void> {
    await tx.deleteFrom('entry_marks').where('recycle_id', '=', recycleId).execute()
  },

  /** Another mark of the same entry gives way: two entries became one. */
  async moveTo(tx: Tx, row: MarkRow, path: string): Promise<void> {
    const { user_id: userId, kind, space_id: spaceId, group_id: groupId } = row
    await tx
      .deleteFrom('entry_marks')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('space_id', '=', spaceId)
      .where('group_id', '=', groupId)
      .where('path_hash', '=', hashOfPath(path))
      .where('recycle_id', '=', '')
      .where('n', '!=', row.n)
      .execute()
    await tx
      .updateTable('entry_marks')
      .set({ path, ...hashesOf(path), recycle_id: '', recycled_path: '' })
      .where('n', '=', row.n)
      .execute()
  },

  async lose(tx: Tx, { n }: MarkRow, bin: Pick<MarkRow, 'recycle_id' | 'recycled_path'>): Promise<void> {
    await tx.updateTable('entry_marks').set(bin).where('n', '=', n).execute()
  },
}

function ofMarker(db: Db | Tx, { userId, kind }: Marker) {
  return db.selectFrom('entry_marks').where('user_id', '=', userId).where('kind', '=', kind)
}

function hashesOf(path: string): Pick<MarkRow, 'path_hash' | 'parent_hash'> {
  return { path_hash: hashOfPath(path), parent_hash: hashOfPath(folderOf(path)) }
}

function byPlace(rows: readonly NewMark[]) {
  const places = Map.groupBy(rows, (row) => [row.user_id, row.kind, row.space_id, row.group_id].join(' '))
  return [...places.values()].flatMap((marks) => {
    const [first] = marks
    return first === undefined ? [] : [{ ...first, paths: marks.map(({ path }) => path) }]
  })
}
