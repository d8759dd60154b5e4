import type { Storages } from '../../foundation/storages/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Change, FolderListings, FolderRef } from '../listings/index.ts'
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
