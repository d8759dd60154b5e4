import { retagActivity } from '../../content/activity/index.ts'
import { uploadsStore } from '../../content/intake/index.ts'
import { hashOfPath } from '../../content/file-events/index.ts'
import { retagFiles } from '../../content/quotas/index.ts'
import { retagTargets } from '../../exchange/links/index.ts'
import { storagesStore } from '../../foundation/storages/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import type { PlaceCopyRow, PlaceMoveRow } from './relocations.schema.ts'
import { relocationsStore } from './relocations.store.ts'

interface Switching {
  readonly db: Db
  readonly move: PlaceMoveRow
  /** Key of the root of the place. */
  readonly root: string
  readonly now: number
}

/**
 * Puts a place on its new storage, in one transaction. Whatever knows its files by the tags of the old storage knows them by those of
 * the new one from then on: recorded hashes, links, and the activity. No server may run.
 */
export async function switchPlace({ db, move, root, now }: Switching): Promise<void> {
  await inTransaction(db, async (tx) => {
    for await (const rows of relocationsStore.copies(tx, move)) await retag(tx, { move, root, rows })
    const { owner_id: ownerId, space_id: spaceId, group_id: groupId } = move
    await uploadsStore.detachFailed(tx, { ownerId, spaceId, groupId })
    await storagesStore.movePlace(tx, move, move.to_storage)
    await relocationsStore.change(tx, move, { switched_at: now })
  })
}

interface Retagging {
  readonly move: PlaceMoveRow
  readonly root: string
  readonly rows: readonly PlaceCopyRow[]
}

async function retag(tx: Tx, { move, root, rows }: Retagging): Promise<void> {
  const { owner_id: ownerId, space_id: spaceId, group_id: groupId } = move
  const changed = rows.map(({ key_hash: keyHash, storage_key: key, from_etag: before, to_etag: after }) => {
    return { keyHash, key, before, after }
  })
  await retagFiles(tx, spaceId, changed)
  const tree = { ownerId, spaceId, groupId }
  // Paths are in NFC, whatever form the storage has a name in.
  const shown = changed
    .filter(({ key }) => key === root || key.startsWith(`${root}/`))
    .map(({ key, before, after }) => {
      return { pathHash: hashOfPath(key.slice(root.length).normalize('NFC') || '/'), before, after }
    })
  await retagActivity(tx, tree, shown)
  await retagTargets(tx, tree, shown)
}
