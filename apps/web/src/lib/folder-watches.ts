import type { SocketEvent } from '@godwit/contract'
import type { SocketCalls } from './socket-calls.ts'
import type { Store } from './store.ts'

export interface Place {
  readonly spaceId: number
  readonly groupId: number
}

export interface FolderWatches {
  /** Calls `onChange` for each change in a folder until the returned function is called. */
  add(place: Place, folder: string, onChange: () => void): () => void
  /** Asks for all of them again on a new connection. */
  resume(): void
  changed(event: Extract<SocketEvent, { readonly event: 'folder.changed' }>): void
  /** For changes that nobody reported. */
  allMayHaveChanged(): void
}

interface Watch {
  readonly place: Place
  readonly folder: string
  readonly onChange: () => void
}

/** The folders that a page looks at. */
export function createFolderWatches({ ask }: SocketCalls, online: Store<boolean>): FolderWatches {
  const watches = new Set<Watch>()
  const watchNow = (place: Place, folder: string): void => {
    // A folder that is gone cannot be watched; the listing says so itself.
    ask({ type: 'watch', ...place, folder }).catch(() => undefined)
  }
  return {
    add(place, folder, onChange) {
      const watch = { place, folder, onChange }
      watches.add(watch)
      if (online.get()) watchNow(place, folder)
      return () => {
        watches.delete(watch)
        const isShared = [...watches].some((other) => other.folder === folder && other.place.groupId === place.groupId)
        if (online.get() && !isShared) ask({ type: 'unwatch', ...place, folder }).catch(() => undefined)
      }
    },
    resume() {
      for (const { place, folder } of watches) watchNow(place, folder)
    },
    changed(event) {
      for (const { place, folder, onChange } of [...watches]) {
        if (folder === event.folder && place.groupId === event.groupId && place.spaceId === event.spaceId) onChange()
      }
    },
    allMayHaveChanged() {
      for (const { onChange } of watches) onChange()
    },
  }
}
