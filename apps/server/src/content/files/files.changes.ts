import type { ObjectStore } from '@godwit/storage'
import type { Bus } from '../../kernel/events/index.ts'
import type { FolderListings, FolderRef } from '../listings/index.ts'
import { carryHashes } from '../quotas/index.ts'
import type { FilesDeps } from './files.deps.ts'
import { nameOf, type Location } from './files.paths.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** Something in a folder came, went or changed. */
    readonly 'folder.changed': { readonly store: ObjectStore; readonly key: string }
  }
}

export interface ChangesDeps {
  readonly indexes: FolderListings
  readonly bus: Bus
}

/** Tells listings and open pages of a change that has just happened. Every feature that changes files calls it. */
export function noteChange(deps: ChangesDeps, location: Location, what: 'folder' | 'file' | 'gone'): void {
  const cut = location.key.lastIndexOf('/')
  const folder: FolderRef = { store: location.store, key: location.key.slice(0, cut) }
  // The name on the storage; nameOf() would give its NFC form.
  if (nameOf(location) !== '') deps.indexes.note(folder, location.key.slice(cut + 1), what)
  deps.bus.publish('folder.changed', folder)
}

/**
 * Follows an entry that was moved in what is noted of stored contents. Awaited before the folder is let go, so that a
 * file that comes to the old place meanwhile does not lose its own note; a failure costs notes and never the move.
 */
export async function noteMove(deps: Pick<FilesDeps, 'db' | 'log'>, from: Location, to: Location): Promise<void> {
  try {
    await carryHashes(deps.db, { spaceId: from.place.spaceId, from: from.key, to: to.key })
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'the notes of a moved entry did not follow it')
  }
}
