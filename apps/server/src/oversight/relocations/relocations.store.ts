import type { Db, Tx } from '../../kernel/db/index.ts'
import type { PlaceCopyRow, PlaceMoveRow } from './relocations.schema.ts'

/** A place, as the tables know it. */
export type PlaceKey = Pick<PlaceMoveRow, 'owner_id' | 'space_id' | 'group_id'>

const ROWS_PER_STATEMENT = 500

/** The only SQL over `place_moves` and `place_copies`. */
export const relocationsStore = {
  ofSpace: (db: Db | Tx, spaceId: number): Promise<PlaceMoveRow[]> =>
    db
      .selectFrom('place_moves')
      .selectAll()
      .where('space_id', '=', spaceId)
      .orderBy('group_id')
      .orderBy('owner_id')
      .execute(),

  of: (db: Db | Tx, { owner_id, space_id, group_id }: PlaceKey): Promise<PlaceMoveRow | undefined> =>
    db
      .selectFrom('place_moves')
      .selectAll()
      .where('owner_id', '=', owner_id)
      .where('space_id', '=', space_id)
      .where('group_id', '=', group_id)
      .executeTakeFirst(),

  /** Whether copies are on a storage that belong to a move that is not switched. */
  async isTarget(db: Db | Tx, storageId: number): Promise<boolean> {
    const moves = db.selectFrom('place_moves').select('space_id').where('to_storage', '=', storageId)
    return (await moves.where('switched_at', 'is', null).executeTakeFirst()) !== undefined
  },

  async begin(db: Db | Tx, row: PlaceMoveRow): Promise<void> {
    await db.insertInto('place_moves').values(row).execute()
  },

  async change(db: Db | Tx, { owner_id, space_id, group_id }: PlaceKey, change: Partial<PlaceMoveRow>): Promise<void> {
    await db
      .updateTable('place_moves')
      .set(change)
      .where('owner_id', '=', owner_id)
      .where('space_id', '=', space_id)
      .where('group_id', '=', group_id)
      .execute()
  },

  async end(tx: Tx, { owner_id, space_id, group_id }: PlaceKey): Promise<void> {
    for (const table of ['place_copies', 'place_moves'] as const)
      await tx
        .deleteFrom(table)
        .where('owner_id', '=', owner_id)
        .where('space_id', '=', space_id)
        .where('group_id', '=', group_id)
        .execute()
  },

  /** Everything about moves of a space. */
  async endAll(tx: Tx, spaceId: number): Promise<void> {
    for (const table of ['place_copies', 'place_moves'] as const)
      await tx.deleteFrom(table).where('space_id', '=', spaceId).execute()
  },

  async copiesAt(db: Db | Tx, place: PlaceKey, hashes: readonly string[]): Promise<ReadonlyMap<string, PlaceCopyRow>> {
    if (hashes.length === 0) return new Map()
    const rows = await copiesOf(db, place).where('key_hash', 'in', hashes).execute()
    return new Map(rows.map((row) => [row.key_hash, row]))
  },

  async put(db: Db | Tx, row: PlaceCopyRow): Promise<void> {
    const { owner_id, space_id, group_id, key_hash } = row
    const known = db.deleteFrom('place_copies').where('owner_id', '=', owner_id).where('space_id', '=', space_id)
    await known.where('group_id', '=', group_id).where('key_hash', '=', key_hash).execute()
    await db.insertInto('place_copies').values(row).execute()
  },

  /** These are still on the old storage. */
  async markSeen(db: Db | Tx, place: PlaceKey, hashes: readonly string[], round: number): Promise<void> {
    const { owner_id, space_id, group_id } = place
    for (let at = 0; at < hashes.length; at += ROWS_PER_STATEMENT)
      await db
        .updateTable('place_copies')
        .set({ round })
        .where('owner_id', '=', owner_id)
        .where('space_id', '=', space_id)
        .where('group_id', '=', group_id)
        .where('key_hash', 'in', hashes.slice(at, at + ROWS_PER_STATEMENT))
        .execute()
  },

  async forget(db: Db | Tx, { owner_id, space_id, group_id, key_hash }: PlaceCopyRow): Promise<void> {
    const known = db.deleteFrom('place_copies').where('owner_id', '=', owner_id).where('space_id', '=', space_id)
    await known.where('group_id', '=', group_id).where('key_hash', '=', key_hash).execute()
  },

  /** In batches, in the order of their hashes; with `before` only those that no pass since then has seen. */
  async *copies(db: Db | Tx, place: PlaceKey, before?: number): AsyncGenerator<readonly PlaceCopyRow[], void, void> {
    for (let after = ''; ;) {
      const all = copiesOf(db, place).where('key_hash', '>', after)
      const wanted = before === undefined ? all : all.where('round', '<', before)
      const rows = await wanted.orderBy('key_hash').limit(ROWS_PER_STATEMENT).execute()
      if (rows.length > 0) yield rows
      if (rows.length < ROWS_PER_STATEMENT) return
      after = rows.at(-1)?.key_hash ?? ''
    }
  },

  async sum(db: Db | Tx, place: PlaceKey): Promise<{ readonly files: number; readonly bytes: number }> {
    const { owner_id, space_id, group_id } = place
    const row = await db
      .selectFrom('place_copies')
      .select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number | null>('size').as('bytes')])
      .where('owner_id', '=', owner_id)
      .where('space_id', '=', space_id)
      .where('group_id', '=', group_id)
      .where('is_folder', '=', 0)
      .executeTakeFirst()
    return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) }
  },
}

function copiesOf(db: Db | Tx, { owner_id, space_id, group_id }: PlaceKey) {
  return db
    .selectFrom('place_copies')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('space_id', '=', space_id)
    .where('group_id', '=', group_id)
}
