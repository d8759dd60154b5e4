import { loadJobPrincipal } from '../../identity/principals/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { RemovalJobDeps } from './removals.deps.ts'
import { runRemoval } from './removals.job.ts'
import { removalsStore } from './removals.store.ts'

export type RemovalsFeatureDeps = Pick<RemovalJobDeps, 'files' | 'quotas' | 'storages' | 'intake'>

/** What becomes of the files of removed accounts. */
export function removalsFeature(kernel: Kernel, given: RemovalsFeatureDeps): Feature {
  const deps: RemovalJobDeps = {
    ...kernel,
    ...given,
    keptDays: kernel.config['recycle.retentionDays'],
    principalOf: (job) => loadJobPrincipal(kernel, job),
  }
  return defineFeature({
    name: 'removals',
    jobLane: 'removals',
    jobs: { 'account-files': (job, run) => runRemoval(deps, job, run) },
    on: {
      'job.failed': {
        subscriber: 'removals.failed',
        handle: async ({ jobId, kind }) => {
          if (kind === 'account-files') await removalsStore.fail(kernel.db, jobId)
        },
      },
    },
  })
}
