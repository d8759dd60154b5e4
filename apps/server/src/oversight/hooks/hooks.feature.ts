import { HOOK_EVENTS } from '@godwit/contract'
import { createPrograms } from '../../foundation/programs/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import { defineFeature, type Feature, type Subscriptions } from '../../kernel/feature.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Tx } from '../../kernel/db/index.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import type { Notices } from '../notices/index.ts'
import { createHookSender } from './hook-sender.ts'
import { hookEndpoints } from './hooks.routes.ts'
import { purgeDeliveries, recordDeliveries } from './hooks.service.ts'

/** How late a call may begin. */
const LOOK_MS = 1_000
const HOUR_MS = 3_600_000
/** Each is a call to a place that somebody chose. */
const TESTS = { name: 'hooks.tests', calls: 20, periodMs: 60_000 } as const

/** Calls addresses outside when something happens. */
export function hooksFeature(kernel: Kernel, { notices }: { readonly notices: Notices }): Feature {
  const { db, config, limits } = kernel
  const outbound = createOutbound(config['outbound.allow'])
  const deps = { ...kernel, outbound, programs: createPrograms(config['hooks.folder']) }
  const sender = createHookSender({
    ...deps,
    async onGivenUp({ id, name, failing_since: since }) {
      const keepers = (await usersStore.list(db)).filter((user) => user.is_super === 1)
      for (const { id: userId } of keepers) {
        const eventKey = `hook:${id}:${since}:${userId}`
        await notices.notify({ userId, kind: 'hook-disabled', facts: { name }, eventKey })
      }
    },
  })
  // One function for all types, so that they are recorded together.
  const handleManyWithin = (events: readonly AnyDurableEvent[], tx: Tx) => recordDeliveries(deps, events, tx)
  const subscription = { subscriber: 'hooks.record', handleManyWithin }
  const on: Subscriptions = Object.fromEntries(HOOK_EVENTS.map((event) => [event, subscription]))
  return defineFeature({
    name: 'hooks',
    endpoints: hookEndpoints({ ...deps, tests: limits.callLimit(TESTS), look: () => sender.look() }),
    on,
    every: [
      { name: 'send', everyMs: LOOK_MS, work: () => sender.look() },
      { name: 'purge', everyMs: HOUR_MS, onOneNode: true, work: () => purgeDeliveries(kernel) },
    ],
    stop: () => sender.stop(),
  })
}
