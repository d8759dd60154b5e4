import { Semaphore } from '@godwit/base'
import type { ObjectStore } from '../object-store.ts'
import { aroundEach } from './around-each.ts'

/** At most so many operations at once; the others wait in order of arrival. An opened reader counts until it is open. */
export function withLimit(store: ObjectStore, operations: number): ObjectStore {
  const places = new Semaphore(operations)
  return aroundEach(store, (_call, work) => places.run(work))
}
