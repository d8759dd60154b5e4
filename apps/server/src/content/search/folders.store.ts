import { sql, type Insertable } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import type { PlaceIds } from '../access/index.ts'
import { inParts } from './in-parts.ts'
import { CLEARED, NOWHERE, ROOT, type SearchFolderRow, type SearchRootRow } from './search.schema.ts'

/** Whose names: `ownerId` is '' for a group. */
export interface RootPlace extends PlaceIds {
  readonly ownerId: string
}

type Connection = Db | Tx

const PLACES_AT_ONCE = 500

/** SQL over `search_roots` and `search_folders`. Entries and grams stand in entries.store.ts. */
export const foldersStore = {
  rootOf: (db: Connection, { ownerId, spaceId, groupId }: RootPlace): Promise<SearchRootRow | undefined> =>
    db
      .selectFrom('search_roots')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('space_id', '=', spaceId)
      .where('group_id', '=', groupId)
      .executeTakeFirst(),

  roots: (db: Connection, ids: readonly number[]): Promise<SearchRootRow[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : db.selectFrom('search_roots').selectAll().where('id', 'in', ids).orderBy('id').execute(),

  /** A new place, whose whole tree is to be read. */
  async addRoot(tx: Tx, { ownerId, spaceId, groupId }: RootPlace): Promise<void> {
    const place = { owner_id: ownerId, space_id: spaceId, group_id: groupId }
    const work = { needs_work: 1, retry_at: 0, scanned_at: null }
    const { insertId } = await tx
      .insertInto('search_roots')
      .values({ ...place, ...work, next_n: 1, scan_round: 1 })
      .executeTakeFirstOrThrow()
    const folder = { parent_n: NOWHERE, name: '', disk_name: '', version: 0, scan_round: 0 }
    await tx
      .insertInto('search_folders')
      .values({ root_id: Number(insertId), n: ROOT, ...folder })
      .execute()
  },

  /** Places that have files and are not in the index yet. */
  newPlaces: (db: Connection) =>
    db
      .selectFrom('places')
      .leftJoin('search_roots', (join) =>
        join
          .onRef('search_roots.owner_id', '=', 'places.owner_id')
          .onRef('search_roots.space_id', '=', 'places.space_id')
          .onRef('search_roots.group_id', '=', 'places.group_id'),
      )
      .select(['places.owner_id', 'places.space_id', 'places.group_id'])
      .where('search_roots.id', 'is', null)
      .limit(PLACES_AT_ONCE)
      .execute(),

  /** Begins a new round for places that were last read before `beforeMs`. */
  async beginRounds(db: Connection, beforeMs: number): Promise<void> {
    await db
      .updateTable('search_roots')
      .set({ scan_round: sql`scan_round + 1`, needs_work: 1 })
      .where('needs_work', '=', 0)
      .where('scanned_at', '<', beforeMs)
      .execute()
  },

  withWork: (db: Connection, now: number): Promise<SearchRootRow[]> =>
    db
      .selectFrom('search_roots')
      .selectAll()
      .where('needs_work', '=', 1)
      .where('retry_at', '<=', now)
      .orderBy('id')
      .execute(),

  /**
   * Takes the lock under which everything of a place is changed. Nothing may be read in the transaction before: MySQL would go
   * on reading what stood there then.
   * @returns false when the index does not have the place
   */
  async lock(tx: Tx, { ownerId, spaceId, groupId }: RootPlace): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('search_roots')
      .set({ next_n: sql`next_n` })
      .where('owner_id', '=', ownerId)
      .where('space_id', '=', spaceId)
      .where('group_id', '=', groupId)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  async changeRoot(tx: Connection, id: number, change: Partial<Omit<SearchRootRow, 'id'>>): Promise<void> {
    await tx.updateTable('search_roots').set(change).where('id', '=', id).execute()
  },

  folder: (db: Connection, rootId: number, n: number): Promise<SearchFolderRow | undefined> =>
    db.selectFrom('search_folders').selectAll().where('root_id', '=', rootId).where('n', '=', n).executeTakeFirst(),

  folders: (db: Connection, rootId: number, ns: readonly number[]): Promise<SearchFolderRow[]> =>
    db.selectFrom('search_folders').selectAll().where('root_id', '=', rootId).where('n', 'in', ns).execute(),

  folderNamed: (db: Connection, rootId: number, parent: number, name: string): Promise<SearchFolderRow | undefined> =>
    db
      .selectFrom('search_folders')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('parent_n', '=', parent)
      .where('name', '=', name)
      .executeTakeFirst(),

  /** A folder that is still to be read in this round: first one that never was. */
  nextToRead: (
    db: Connection,
    { id, scan_round }: Pick<SearchRootRow, 'id' | 'scan_round'>,
    except: readonly number[] = [],
  ): Promise<SearchFolderRow | undefined> =>
    db
      .selectFrom('search_folders')
      .selectAll()
      .where('root_id', '=', id)
      .where('scan_round', '<', scan_round)
      .$if(except.length > 0, (query) => query.where('n', 'not in', except))
      .orderBy('scan_round')
      .orderBy('n')
      .limit(1)
      .executeTakeFirst(),

  /** Whether some folder was never read. */
  async hasUnread(db: Connection, rootId: number): Promise<boolean> {
    const row = await db
      .selectFrom('search_folders')
      .select('n')
      .where('root_id', '=', rootId)
      .where('scan_round', '=', 0)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  nextToClear: (db: Connection, rootId: number): Promise<SearchFolderRow | undefined> =>
    db
      .selectFrom('search_folders')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('parent_n', '=', CLEARED)
      .limit(1)
      .executeTakeFirst(),

  async addFolders(tx: Tx, rows: ReadonlyArray<Insertable<Tables['search_folders']>>): Promise<void> {
    for (const some of inParts(rows)) await tx.insertInto('search_folders').values(some).execute()
  },

  async changeFolder(
    tx: Tx,
    { rootId, n }: { readonly rootId: number; readonly n: number },
    change: Partial<Omit<SearchFolderRow, 'root_id' | 'n'>>,
  ): Promise<void> {
    await tx.updateTable('search_folders').set(change).where('root_id', '=', rootId).where('n', '=', n).execute()
  },

  /** Listings of these folders that were read before now are out of date. */
  async touch(tx: Tx, rootId: number, ns: readonly number[]): Promise<void> {
    for (const some of inParts(ns)) {
      await tx
        .updateTable('search_folders')
        .set({ version: sql`version + 1` })
        .where('root_id', '=', rootId)
        .where('n', 'in', some)
        .execute()
    }
  },

  async removeFolder(tx: Tx, rootId: number, n: number): Promise<void> {
    await tx.deleteFrom('search_folders').where('root_id', '=', rootId).where('n', '=', n).execute()
  },
}
