import { Semaphore } from '@godwit/base'
import type { ObjectStore } from '../object-store.ts'
import { aroundEach } from './around-each.ts'

/** Limits concurrent operations; the others wait in order of arrival. Opening a reader counts, reading from it does not. */
export function withLimit(store: ObjectStore, operations: number): ObjectStore {
  const places = new Semaphore(operations)
  return aroundEach(store, (_call, work) => places.run(work))
}
