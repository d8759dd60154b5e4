import type { Licence } from '../../foundation/licence/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { providerEndpoints } from './providers.routes.ts'
import { createElsewhere, type Elsewhere } from './sign-in.service.ts'
import { failSync, requestDue, runSync } from './sync.service.ts'

const MINUTE_MS = 60_000
/** Tests of settings, for each administrator. */
const TESTS = { name: 'auth-provider.tests', calls: 30, periodMs: MINUTE_MS } as const

/** Accounts and passwords that are kept elsewhere, such as in a directory. */
export function providersFeature(kernel: Kernel, { licence }: { readonly licence: Licence }): FeatureWith<Elsewhere> {
  const { config, db, clock, limits } = kernel
  const deps = {
    ...kernel,
    outbound: createOutbound(config['outbound.allow']),
    tests: limits.callLimit(TESTS),
    userLimit: () => licence.current().users,
  }
  return defineFeature({
    name: 'providers',
    api: createElsewhere(deps),
    endpoints: providerEndpoints(deps, { db, clock }),
    jobs: {
      'directory.sync': async ({ id }, { signal }) => {
        await runSync(deps, id, signal)
        return null
      },
    },
    // Reading a big directory takes minutes, and nobody's copy or archive is to wait for it.
    jobLane: 'directories',
    on: {
      'job.failed': {
        subscriber: 'providers.job-failed',
        handle: async ({ jobId, kind }) => {
          if (kind === 'directory.sync') await failSync(deps, jobId)
        },
      },
    },
    every: [{ name: 'directories', everyMs: MINUTE_MS, onOneNode: true, work: () => requestDue(deps) }],
  })
}
