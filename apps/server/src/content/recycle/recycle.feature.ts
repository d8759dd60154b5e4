import type { OperationReply } from '@godwit/contract'
import { loadJobPrincipal } from '../../identity/principals/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { recycleEndpoints } from './recycle.console.ts'
import { bookRecycleSteps, recycleJobs, recycleOperations } from './recycle.operations.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import { recycleFile, startRemove, type RecycleFile, type RemoveRequest } from './recycle.service.ts'
import { recyclePlaces } from './recycle.place.ts'
import { purgeDue } from './recycle.purge.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type RecycleFeatureDeps = Pick<RecycleDeps, 'files' | 'quotas'>

/** Deleting, for the protocols that do it by other names. */
export interface Recycle {
  /** See {@link startRemove}. */
  remove(ctx: UserCtx, request: RemoveRequest): Promise<OperationReply<'remove'>>
  readonly file: RecycleFile
}

export function recycleFeature(kernel: Kernel, given: RecycleFeatureDeps): FeatureWith<Recycle> {
  const { config, clock } = kernel
  const keptDays = config['recycle.retentionDays']
  const deps: RecycleDeps = { ...kernel, ...given, keptDays, principalOf: (job) => loadJobPrincipal(kernel, job) }
  deps.files.access.place('recycle', recyclePlaces(deps.db))
  bookRecycleSteps(deps)
  return defineFeature({
    name: 'recycle',
    endpoints: recycleEndpoints(deps, kernel),
    api: { remove: (ctx, request) => startRemove(deps, ctx, request), file: recycleFile(deps) },
    operations: recycleOperations(deps),
    jobs: recycleJobs(deps),
    every: [
      { name: 'purge', everyMs: HOUR_MS, onOneNode: true, work: () => purgeDue(deps, clock.now() - keptDays * DAY_MS) },
    ],
  })
}
