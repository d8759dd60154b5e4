import type { Storages } from '../../foundation/storages/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Change, FolderListings, FolderRef } from '../listings/index.ts'
import { carryHashes } from '../quotas/index.ts'
import type { FilesDeps } from './files.deps.ts'
import { nameOf, type Location } from './files.paths.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** Something in a folder came, went or changed. */
    readonly 'folder.changed': {
      readonly storageId: number
      readonly key: string
      /** What is known of it: the name on the storage and what it is now. */
      readonly entry?: { readonly name: string; readonly what: Change }
    }
  }
}

export interface ChangesDeps {
  readonly indexes: FolderListings
  readonly bus: Bus
  readonly storages: Storages
}

/** Notifies listings and open pages, on every node, of a change that has just happened. Every feature that changes files calls it. */
export function noteChange(deps: ChangesDeps, location: Location, what: Change): void {
  const cut = location.key.lastIndexOf('/')
  const folder: FolderRef = { store: location.store, key: location.key.slice(0, cut) }
  const at = { storageId: deps.storages.idOf(folder.store), key: folder.key }
  if (nameOf(location) === '') {
    deps.bus.publish('folder.changed', at)
    return
  }
  // The name on the storage; nameOf() would give its NFC form.
  const name = location.key.slice(cut + 1)
  deps.indexes.note(folder, name, what)
  deps.bus.publish('folder.changed', { ...at, entry: { name, what } })
}

/** Keeps the listings of this node true to what other nodes change. @returns a function that ends it */
export function followOtherNodes({ bus, indexes, storages }: ChangesDeps): () => void {
  const ends = [
    bus.subscribe('folder.changed', ({ storageId, key, entry }, origin) => {
      const store = storages.withId(storageId)
      if (origin === 'elsewhere' && store !== undefined && entry !== undefined) {
        indexes.note({ store, key }, entry.name, entry.what)
      }
    }),
    bus.subscribe('bus.interrupted', () => {
      for (const store of storages.all()) indexes.forgetStore(store)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
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
