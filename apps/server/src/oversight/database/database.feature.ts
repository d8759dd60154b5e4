import { databaseRoutes } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { probeDatabase } from './database.probe.ts'
import { beginCopy, cancelCopy, databaseThing, runCopy, switchDatabase, viewDatabase } from './database.service.ts'

/** Each of them connects to a server that somebody names. */
const TRIES = { name: 'database.tries', calls: 20, periodMs: 60_000 } as const

/** The database in use, and the move to another one. */
export function databaseFeature(kernel: Kernel): Feature {
  const { db, clock, config } = kernel
  const log = { db, clock }
  const deps = { ...kernel, outbound: createOutbound(config['outbound.allow']) }
  const tries = kernel.limits.callLimit(TRIES)
  return defineFeature({
    name: 'database',
    endpoints: [
      endpoint(databaseRoutes.view, () => viewDatabase(deps)),
      loggedEndpoint(log, databaseRoutes.try, async ({ principal }, { body }, record) => {
        await tries.take(principal.id)
        const found = await probeDatabase(deps, body)
        await inTransaction(db, (tx) => record(tx, databaseThing(body)))
        return found
      }),
      loggedEndpoint(log, databaseRoutes.copy, async ({ principal }, { body }, record) => {
        await tries.take(principal.id)
        await beginCopy(deps, body, { ownerId: principal.id, record })
        return {}
      }),
      loggedEndpoint(log, databaseRoutes.cancel, async () => {
        await cancelCopy(deps)
        return {}
      }),
      loggedEndpoint(log, databaseRoutes.switch, async (_ctx, _input, record) => {
        await switchDatabase(deps, record)
        return {}
      }),
    ],
    jobs: {
      'database.copy': async ({ payload }, { signal }) => {
        await runCopy(deps, payload.copyId, signal)
        return null
      },
    },
    // It may take hours: nobody's work waits behind it.
    jobLane: 'database',
  })
}
