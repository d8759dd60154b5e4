import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { entriesStore } from './entries.store.ts'
import { type EntryWatch, NOBODY } from './entry-watch.ts'
import { foldersStore } from './folders.store.ts'
import { CLEARED, NEVER_AGAIN, type SearchRootRow } from './search.schema.ts'

const ENTRIES_AT_ONCE = 500

/**
 * Clears away some of what was below deleted folders; nothing leads to it any more, so nobody waits for it.
 * @returns false when there is nothing left
 */
export async function clearDeleted(db: Db, root: SearchRootRow, watch: EntryWatch = NOBODY): Promise<boolean> {
  if ((await foldersStore.nextToClear(db, root.id)) === undefined) return false
  const place = { ownerId: root.owner_id, spaceId: root.space_id, groupId: root.group_id }
  return inTransaction(db, async (tx) => {
    if (!(await foldersStore.lock(tx, place))) return false
    const folder = await foldersStore.nextToClear(tx, root.id)
    if (folder === undefined) return false
    const n = Number(folder.n)
    const rows = await entriesStore.inFolder(tx, root.id, n, { after: '', limit: ENTRIES_AT_ONCE })
    for (const row of rows) {
      if (row.is_folder === 0) continue
      const change = { parent_n: CLEARED, name: String(row.n), scan_round: NEVER_AGAIN }
      await foldersStore.changeFolder(tx, { rootId: root.id, n: Number(row.n) }, change)
    }
    await entriesStore.remove(
      tx,
      root.id,
      rows.map((row) => Number(row.n)),
    )
    const files = rows.filter((row) => row.is_folder === 0)
    await watch.changed(
      tx,
      root.id,
      files.map((row) => ({ n: Number(row.n), ending: row.ending })),
    )
    if (rows.length < ENTRIES_AT_ONCE) await foldersStore.removeFolder(tx, root.id, n)
    return true
  })
}
