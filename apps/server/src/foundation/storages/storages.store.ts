import { sql, type Insertable } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import type { PlaceRow, StorageRow } from './storages.schema.ts'

type PlaceKey = Omit<PlaceRow, 'storage_id'>

/** The only SQL over storages and places. */
export const storagesStore = {
  all: (db: Db | Tx): Promise<StorageRow[]> => db.selectFrom('storages').selectAll().orderBy('id').execute(),

  byId: (db: Db | Tx, id: number): Promise<StorageRow | undefined> =>
    db.selectFrom('storages').selectAll().where('id', '=', id).executeTakeFirst(),

  /** @returns its id */
  async insert(db: Db | Tx, row: Insertable<Tables['storages']>): Promise<number> {
    const { insertId } = await db.insertInto('storages').values(row).executeTakeFirstOrThrow()
    return Number(insertId)
  },

  async remove(db: Db | Tx, id: number): Promise<void> {
    await db.deleteFrom('space_storages').where('storage_id', '=', id).execute()
    await db.deleteFrom('storages').where('id', '=', id).execute()
  },

  async change(db: Db | Tx, id: number, change: Partial<Omit<StorageRow, 'id'>>): Promise<void> {
    await db.updateTable('storages').set(change).where('id', '=', id).execute()
  },

  /** @returns false when somebody was first */
  async changeAt(
    tx: Tx,
    { id, revision }: { readonly id: number; readonly revision: number },
    change: Partial<Omit<StorageRow, 'id'>>,
  ): Promise<boolean> {
    const update = tx.updateTable('storages').set(change).where('id', '=', id).where('revision', '=', revision)
    return (await update.executeTakeFirst()).numUpdatedRows > 0n
  },

  /** Which spaces use which storages. */
  uses: (db: Db | Tx) =>
    db.selectFrom('space_storages').selectAll().orderBy('space_id').orderBy('storage_id').execute(),

  /** The storage for new places of a space: its own default, or that of `otherwise`. */
  async defaultOf(db: Db | Tx, spaceId: number, otherwise: number): Promise<number | undefined> {
    const rows = await db
      .selectFrom('space_storages')
      .select(['space_id', 'storage_id'])
      .where('space_id', 'in', [spaceId, otherwise])
      .where('is_default', '=', 1)
      .execute()
    const own = rows.find((row) => row.space_id === spaceId) ?? rows[0]
    return own?.storage_id
  },

  /** Makes a storage the default of a space, which then uses it. Within a transaction. */
  async makeDefault(tx: Tx, spaceId: number, storageId: number): Promise<void> {
    await tx.updateTable('space_storages').set({ is_default: 0 }).where('space_id', '=', spaceId).execute()
    await storagesStore.unuse(tx, spaceId, storageId)
    await storagesStore.use(tx, { space_id: spaceId, storage_id: storageId, is_default: 1 })
  },

  async use(tx: Tx, use: Tables['space_storages']): Promise<void> {
    await tx.insertInto('space_storages').values(use).execute()
  },

  async unuse(tx: Tx, spaceId: number, storageId: number): Promise<void> {
    const uses = tx.deleteFrom('space_storages').where('space_id', '=', spaceId)
    await uses.where('storage_id', '=', storageId).execute()
  },

  async unuseAll(tx: Tx, spaceId: number): Promise<void> {
    await tx.deleteFrom('space_storages').where('space_id', '=', spaceId).execute()
  },

  /** Forgets where the places of a space are; their files stay. */
  async removePlaces(tx: Tx, spaceId: number): Promise<void> {
    await tx.deleteFrom('places').where('space_id', '=', spaceId).execute()
  },

  async storageOf(db: Db | Tx, { owner_id, space_id, group_id }: PlaceKey): Promise<number | undefined> {
    const row = await db
      .selectFrom('places')
      .select('storage_id')
      .where('owner_id', '=', owner_id)
      .where('space_id', '=', space_id)
      .where('group_id', '=', group_id)
      .executeTakeFirst()
    return row?.storage_id
  },

  async addPlace(db: Db | Tx, place: PlaceRow): Promise<void> {
    await db.insertInto('places').values(place).execute()
  },

  /** The places of a space, those of accounts first. */
  placesIn: (db: Db | Tx, spaceId: number): Promise<PlaceRow[]> =>
    db
      .selectFrom('places')
      .selectAll()
      .where('space_id', '=', spaceId)
      .orderBy('group_id')
      .orderBy('owner_id')
      .execute(),

  /** Notes where a place is from now on; its space uses that storage, too. */
  async movePlace(tx: Tx, { owner_id, space_id, group_id }: PlaceKey, storageId: number): Promise<void> {
    const place = tx.updateTable('places').set({ storage_id: storageId }).where('owner_id', '=', owner_id)
    await place.where('space_id', '=', space_id).where('group_id', '=', group_id).execute()
    const use = tx.selectFrom('space_storages').select('storage_id').where('space_id', '=', space_id)
    if ((await use.where('storage_id', '=', storageId).executeTakeFirst()) !== undefined) return
    await storagesStore.use(tx, { space_id, storage_id: storageId, is_default: 0 })
  },

  async removePlace(tx: Tx, { owner_id, space_id, group_id }: PlaceKey): Promise<void> {
    const place = tx.deleteFrom('places').where('owner_id', '=', owner_id).where('space_id', '=', space_id)
    await place.where('group_id', '=', group_id).execute()
  },

  /** Places on one storage, the oldest accounts first. */
  placesOn: (db: Db | Tx, storageId: number, limit: number): Promise<PlaceRow[]> =>
    db
      .selectFrom('places')
      .selectAll()
      .where('storage_id', '=', storageId)
      .orderBy('space_id')
      .orderBy('owner_id')
      .limit(limit)
      .execute(),

  /** Everywhere that an account has personal files. */
  placesOf: (db: Db | Tx, ownerId: string): Promise<PlaceRow[]> =>
    db.selectFrom('places').selectAll().where('owner_id', '=', ownerId).orderBy('space_id').execute(),

  /** An account that is gone has no places any more. */
  async removePlacesOf(tx: Tx, ownerId: string): Promise<void> {
    await tx.deleteFrom('places').where('owner_id', '=', ownerId).execute()
  },

  /** Places by storage. */
  async placeCounts(db: Db | Tx): Promise<ReadonlyMap<number, number>> {
    const rows = await db
      .selectFrom('places')
      .select(['storage_id', sql<number>`count(*)`.as('places')])
      .groupBy('storage_id')
      .execute()
    return new Map(rows.map((row) => [row.storage_id, Number(row.places)]))
  },
}
