import type { Storages } from '../../foundation/storages/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Change, FolderListings, FolderRef } from '../listings/index.ts'
import { carryHashes, copyHashes, type HashedTree } from '../quotas/index.ts'
import type { FilesDeps } from './files.deps.ts'
import type { Location } from '../access/index.ts'

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

/** An entry by its key on the storage. */
export type StoredEntry = Pick<Location, 'store' | 'key'>

/** Notifies listings and open pages, on every node, of a change that has just happened. Every feature that changes files calls it. */
export function noteChange(deps: ChangesDeps, { store, key }: StoredEntry, what: Change): void {
  const cut = key.lastIndexOf('/')
  const folder: FolderRef = { store, key: key.slice(0, cut) }
  // The name on the storage, which need not be in NFC.
  const name = key.slice(cut + 1)
  deps.indexes.note(folder, name, what)
  deps.bus.publish('folder.changed', { storageId: deps.storages.idOf(store), key: folder.key, entry: { name, what } })
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
 * Recorded hashes follow an entry that was moved. Awaited before the folder is released, so that a file that comes to the
 * old path meanwhile does not lose its own; a failure costs hashes and never the move.
 */
export async function noteMove(deps: Pick<FilesDeps, 'db' | 'log'>, from: Location, to: StoredEntry): Promise<void> {
  try {
    await carryHashes(deps.db, { spaceId: from.place.spaceId, from: from.key, to: to.key })
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'the recorded hashes of a moved entry did not follow it')
  }
}

/** A copy has the recorded hashes of its source. A failure costs hashes and never the copy. */
export async function noteCopy(
  deps: Pick<FilesDeps, 'db' | 'log' | 'clock'>,
  from: Location,
  to: Location,
): Promise<void> {
  try {
    await copyHashes(deps, hashedTree(from), hashedTree(to))
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'the recorded hashes of a copied entry were not copied')
  }
}

function hashedTree({ store, key, place }: Location): HashedTree {
  return { store, key, spaceId: place.spaceId }
}
