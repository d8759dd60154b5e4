import { StorageError } from '../errors.ts'
import type { ObjectStore } from '../object-store.ts'
import { aroundEach, type StoreCall } from './around-each.ts'

/**
 * Operations that are safe to repeat when their outcome is unknown: they change nothing, or have the same effect. A part has
 * consumed its source; a move, copy, removal or new folder whose success was not reported would be refused the second time.
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
  /** Total attempts, 1 or more. */
  readonly tries: number
  /** Delays before attempts 2, 3, ... */
  readonly pause: (nextTry: number) => Promise<void>
}

/** Retries operations that failed as 'unreachable' and are safe to repeat. */
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
