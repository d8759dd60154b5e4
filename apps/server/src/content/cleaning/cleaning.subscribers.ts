import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { hashOfPath, treeOwnerOf, type FileEvent } from '../file-events/index.ts'
import { cleaningStore } from './cleaning.store.ts'

/** What counts as opening a file; and as its beginning, where it came to be under another path. */
const TYPES = [
  'file.downloaded',
  'file.previewed',
  'file.renamed',
  'file.moved',
  'file.copied',
  'file.restored',
] as const

/** Notes when files were opened. What is noted of a folder holds for everything below it, so a moved tree is not old at once. */
export function accessSubscriptions(): Subscriptions {
  const subscription = { subscriber: 'cleaning.accesses', handleManyWithin: noteAccesses }
  return Object.fromEntries(TYPES.map((type) => [type, subscription]))
}

async function noteAccesses(events: readonly AnyDurableEvent[], tx: Tx): Promise<void> {
  const last = new Map<string, FileEvent>()
  for (const { type, payload } of events) {
    if (!TYPES.some((each) => each === type)) continue
    const event = payload as FileEvent
    last.set([treeOwnerOf(event), event.spaceId, event.groupId, event.path].join(' '), event)
  }
  for (const event of last.values()) {
    const tree = { owner_id: treeOwnerOf(event), space_id: event.spaceId, group_id: event.groupId }
    await cleaningStore.note(tx, { ...tree, path_hash: hashOfPath(event.path), at: event.at })
  }
}
