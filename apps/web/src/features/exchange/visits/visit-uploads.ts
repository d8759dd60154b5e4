import type { Clock } from '@godwit/base'
import { createStore, type Store } from '../../../lib/store.ts'
import { loadUploadWork, UploadEngine } from '../../content/uploads/index.ts'
import { createVisitOperations } from './visit-operations.ts'
import type { Visit } from './visit.ts'

interface Kept {
  readonly engine: UploadEngine
  /** Grows when files of this visit have arrived. */
  readonly arrivals: Store<number>
}

const kept = new WeakMap<Visit, Kept>()

/** The uploads of a visit. They outlive its token: after the password was asked for again they go on. */
export function uploadsOf(visit: Visit, clock: Clock): Kept {
  const known = kept.get(visit)
  if (known !== undefined) return known
  const { api } = visit
  const arrivals = createStore(0)
  const made: Kept = {
    arrivals,
    engine: new UploadEngine({
      api,
      clock,
      loadWork: loadUploadWork,
      operate: createVisitOperations(api),
      // Nothing a guest brings meets a taken name, so this is never asked.
      askConflicts: () => Promise.resolve(undefined),
      onStored: () => arrivals.update((count) => count + 1),
      onTakenBack: () => undefined,
    }),
  }
  kept.set(visit, made)
  return made
}
