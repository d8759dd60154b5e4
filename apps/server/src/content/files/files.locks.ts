import { Semaphore } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import { FoldedNames, type FolderRef } from '../listings/index.ts'

/** Holds folders one at a time, so that of two names that clash only one is taken. */
export interface FolderLocks {
  run<T>(folder: FolderRef, work: () => Promise<T>): Promise<T>
  /**
   * Takes the name of an entry that is on its way, for longer than a folder can be held. Call it while holding the folder,
   * after the look at its names.
   * @returns gives the name back
   */
  claim(folder: FolderRef, name: string): () => void
  /** A claimed name that a disk which folds case would take for `name`; the same name counts too. */
  claimed(folder: FolderRef, name: string): string | undefined
}

export function createFolderLocks(): FolderLocks {
  const claims = new WeakMap<ObjectStore, Map<string, FoldedNames>>()
  const held = new WeakMap<ObjectStore, Map<string, { readonly semaphore: Semaphore; users: number }>>()
  return {
    claim({ store, key }, name) {
      const folders = claims.get(store) ?? new Map<string, FoldedNames>()
      claims.set(store, folders)
      const names = folders.get(key) ?? new FoldedNames()
      folders.set(key, names)
      names.add(name)
      return () => {
        names.delete(name)
        if (names.isEmpty) folders.delete(key)
      }
    },
    claimed({ store, key }, name) {
      const [first] = claims.get(store)?.get(key)?.alike(name) ?? []
      return first
    },
    async run({ store, key }, work) {
      const locks = held.get(store) ?? new Map<string, { readonly semaphore: Semaphore; users: number }>()
      held.set(store, locks)
      const lock = locks.get(key) ?? { semaphore: new Semaphore(1), users: 0 }
      locks.set(key, lock)
      lock.users++
      try {
        return await lock.semaphore.run(work)
      } finally {
        lock.users--
        if (lock.users === 0) locks.delete(key)
      }
    },
  }
}
