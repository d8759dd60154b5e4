import { Semaphore } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'

/** Holds folders one at a time, so that of two names that clash only one is taken. */
export interface FolderLocks {
  run<T>(folder: { readonly store: ObjectStore; readonly key: string }, work: () => Promise<T>): Promise<T>
}

export function createFolderLocks(): FolderLocks {
  const held = new WeakMap<ObjectStore, Map<string, { readonly semaphore: Semaphore; users: number }>>()
  return {
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
