import { StorageError } from '../errors.ts'
import type { ObjectStore } from '../object-store.ts'
import { aroundEach, type StoreCall } from './around-each.ts'

/**
 * What may be done again when nobody knows whether it was done: it changes nothing, or ends the same. A part has used up its
 * source; a move, a copy, a removal or a new folder that succeeded unheard would be refused the second time.
 */
const REPEATABLE: ReadonlySet<StoreCall> = new Set([
  'stat',
  'statMany',
  'openRead',
  'ensureFolder',
  'openUpload',
  'completeUpload',
  'abortUpload',
  'space',
  'readMark',
  'writeMark',
] satisfies StoreCall[])

export interface RetryOptions {
  /** Tries altogether, 1 or more. */
  readonly tries: number
  /** Waits before try 2, 3, ... */
  readonly pause: (nextTry: number) => Promise<void>
}

/** Tries again what was 'unreachable' and may be repeated. */
export function withRetry(store: ObjectStore, { tries, pause }: RetryOptions): ObjectStore {
  return aroundEach(store, async (call, work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const isPassing = error instanceof StorageError && error.reason === 'unreachable'
        if (!isPassing || !REPEATABLE.has(call) || attempt >= tries) throw error
        await pause(attempt + 1)
      }
    }
  })
}
