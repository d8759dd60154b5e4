import { acmeRoutes } from '@godwit/contract'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { loggedEndpoint } from '../operation-log/index.ts'
import type { Settings } from '../settings/index.ts'
import { orderWhenDue, viewAcme, wantOrder } from './acme.service.ts'
import { ACME_SETTINGS } from './acme.settings.ts'
import { acmeStore } from './acme.store.ts'

export interface AcmeChallenges {
  /** What is answered to an authority that asks for a token; undefined when nobody offered it. */
  answer(token: string): Promise<string | undefined>
}

/** Somebody in the console waits for what they asked for. */
const LOOK_MS = 5_000
/** As RFC 8555 §8.3 has tokens. */
const TOKEN = /^[\w-]{16,128}$/

/** Certificates that the server orders and renews itself (RFC 8555, http-01). */
export function acmeFeature(
  kernel: Kernel,
  { settings }: { readonly settings: Settings },
): FeatureWith<AcmeChallenges> {
  const { db, clock, config } = kernel
  const deps = { ...kernel, settings, outbound: createOutbound(config['outbound.allow']) }
  const log = { db, clock }
  return defineFeature<AcmeChallenges>({
    name: 'acme',
    api: {
      answer: async (token) => (TOKEN.test(token) ? acmeStore.answer(db, token, clock.now()) : undefined),
    },
    settings: ACME_SETTINGS,
    endpoints: [
      endpoint(acmeRoutes.state, () => viewAcme(deps)),
      loggedEndpoint(log, acmeRoutes.order, async () => {
        await wantOrder(deps)
        return viewAcme(deps)
      }),
    ],
    // A look at every node; the lock lets one of them order.
    every: [{ name: 'order', everyMs: LOOK_MS, work: (signal) => orderWhenDue(deps, signal) }],
  })
}
