import { StorageError, type ObjectReader } from '@godwit/storage'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { entriesStore } from './entries.store.ts'
import { foldersStore } from './folders.store.ts'
import { blockOf, firstOf } from './grams.ts'
import { keyOf, placeOfRoot, treeOf, type ScanDeps } from './scan.ts'
import type { SearchEntryRow, SearchRootRow } from './search.schema.ts'

/** For other indexes of the same files: they name entries by the numbers of this one. */
export const indexedFiles = {
  roots: (db: Db, ids: readonly number[]): Promise<SearchRootRow[]> => foldersStore.roots(db, ids),

  /**
   * Takes the lock under which the index of a place changes; the first thing in a transaction.
   * @returns the place as it is now; undefined when it is gone
   */
  async lock(tx: Tx, root: SearchRootRow): Promise<SearchRootRow | undefined> {
    const place = placeOfRoot(root)
    return (await foldersStore.lock(tx, place)) ? foldersStore.rootOf(tx, place) : undefined
  },

  numbered: (db: Db | Tx, rootId: number, ns: readonly number[]): Promise<SearchEntryRow[]> =>
    entriesStore.numbered(db, rootId, ns),

  /** Some entries behind number `after`, and the number up to which there are no more. */
  async behind(
    db: Db,
    rootId: number,
    after: number,
  ): Promise<{ readonly rows: SearchEntryRow[]; readonly to: number }> {
    const from = blockOf(after + 1)
    const rows = await entriesStore.inBlocks(db, rootId, from, from + BLOCKS - 1)
    return { rows: rows.filter((row) => Number(row.n) > after), to: firstOf(from + BLOCKS) - 1 }
  },

  /**
   * The content of a file, wherever its folder is now.
   * @returns undefined when it, its folder or its place is gone
   * @throws StorageError
   */
  async open(deps: FileDeps, root: SearchRootRow, entry: SearchEntryRow): Promise<ObjectReader | undefined> {
    const tree = await treeOf(deps, root)
    const folder = await foldersStore.folder(deps.db, root.id, Number(entry.parent_n))
    const key = tree && folder && (await keyOf(deps.db, { root, folder, rootKey: tree.rootKey }))
    if (tree === undefined || key === undefined) return undefined
    // A disk may hold a name in another form than it is shown in.
    for (const name of new Set([entry.name, entry.name.normalize('NFD')])) {
      try {
        return await tree.store.openRead(`${key}/${name}`)
      } catch (thrown) {
        if (!(thrown instanceof StorageError && thrown.reason === 'not-found')) throw thrown
      }
    }
    return undefined
  },
}

export type FileDeps = Pick<ScanDeps, 'db' | 'storages' | 'rootKeyOf'>

/** Of numbers, which are looked at in one step. */
const BLOCKS = 8
