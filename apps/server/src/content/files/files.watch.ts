import type { FilesDeps } from './files.deps.ts'
import type { Location } from '../access/index.ts'
import type { FolderRef } from '../listings/index.ts'

/** How often watched folders are looked at for changes that did not come through this process. */
export const LOOK_MS = 2_000
/** Folders looked at between two turns of others. */
const LOOKS_AT_ONCE = 16

interface Watched {
  readonly folder: FolderRef
  readonly listeners: Set<() => void>
  modifiedMs: number | undefined
}

/** Folders that open pages show. */
export interface FolderWatch {
  /** @returns a function that ends the watch */
  watch(folder: Location, onChange: () => void): () => void
  /** Looks at every watched folder once. */
  look(): Promise<void>
  stop(): void
}

/**
 * Reports changes in folders: those of all nodes by their signal, those of other programs by the folder's time of change. Asking the storage
 * every two seconds needs no inotify handles, works on every provider that keeps times, and costs nothing while nobody looks.
 */
export function createFolderWatch(deps: Pick<FilesDeps, 'bus' | 'storages'>): FolderWatch {
  const byStore = new Map<FolderRef['store'], Map<string, Watched>>()

  const unsubscribe = deps.bus.subscribe('folder.changed', ({ storageId, key }) => {
    const store = deps.storages.withId(storageId)
    const watched = store && byStore.get(store)?.get(key)
    if (!watched) return
    // Its time has moved with this change; the next look must not report it again.
    watched.modifiedMs = undefined
    notify(watched)
  })

  function notify(watched: Watched): void {
    for (const listener of [...watched.listeners]) listener()
  }

  async function look(watched: Watched): Promise<void> {
    const entry = await watched.folder.store.stat(watched.folder.key)
    const modifiedMs = entry?.modifiedMs ?? -1
    const isNews = watched.modifiedMs !== undefined && watched.modifiedMs !== modifiedMs
    watched.modifiedMs = modifiedMs
    if (isNews) notify(watched)
  }

  async function lookAtAll(): Promise<void> {
    const all = [...byStore.values()].flatMap((folders) => [...folders.values()])
    for (let at = 0; at < all.length; at += LOOKS_AT_ONCE) {
      await Promise.all(all.slice(at, at + LOOKS_AT_ONCE).map(look))
    }
  }

  return {
    watch({ store, key }, onChange) {
      const folders = byStore.get(store) ?? new Map<string, Watched>()
      byStore.set(store, folders)
      const watched = folders.get(key) ?? { folder: { store, key }, listeners: new Set(), modifiedMs: undefined }
      folders.set(key, watched)
      watched.listeners.add(onChange)
      return () => {
        watched.listeners.delete(onChange)
        if (watched.listeners.size > 0) return
        folders.delete(key)
        if (folders.size === 0) byStore.delete(store)
      }
    },
    look: lookAtAll,
    stop: unsubscribe,
  }
}
