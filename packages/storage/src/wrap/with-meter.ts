import type { Clock } from '@godwit/base'
import { StorageError, type StorageReason } from '../errors.ts'
import type { ObjectStore } from '../object-store.ts'
import { aroundEach, type StoreCall } from './around-each.ts'

export interface Measured {
  readonly call: StoreCall
  readonly tookMs: number
  /** 'aborted' for the reason of a signal and for what only a bug can cause. */
  readonly outcome: 'done' | 'aborted' | StorageReason
}

/** Reports each operation when it has ended. */
export function withMeter(store: ObjectStore, clock: Clock, report: (measured: Measured) => void): ObjectStore {
  return aroundEach(store, async (call, work) => {
    const begun = clock.monotonic()
    let outcome: Measured['outcome'] = 'aborted'
    try {
      const result = await work()
      outcome = 'done'
      return result
    } catch (error) {
      if (error instanceof StorageError) outcome = error.reason
      throw error
    } finally {
      report({ call, tookMs: clock.monotonic() - begun, outcome })
    }
  })
}
