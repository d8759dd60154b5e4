import { hookRoutes } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import {
  addHook,
  editHook,
  listDeliveries,
  listHooks,
  removeHook,
  renewSecret,
  replayDeliveries,
  tryHook,
  type HooksDeps,
} from './hooks.service.ts'

export interface HookEndpointsDeps extends HooksDeps {
  readonly tests: CallLimit
  /** Sends soon what waits. */
  readonly look: () => Promise<void>
}

export function hookEndpoints(deps: HookEndpointsDeps): Endpoint[] {
  const { db } = deps
  return [
    endpoint(hookRoutes.list, () => listHooks(deps)),
    endpoint(hookRoutes.deliveries, (_ctx, { params, query }) => listDeliveries(db, params.hookId, query)),
    loggedEndpoint(deps, hookRoutes.add, (_ctx, { body }, record) => addHook(deps, body, record)),
    loggedEndpoint(deps, hookRoutes.edit, async (_ctx, { params, body }, record) => {
      const { revision, ...wanted } = body
      await editHook(deps, { id: params.hookId, wanted, revision }, record)
      await deps.look()
      return {}
    }),
    loggedEndpoint(deps, hookRoutes.remove, async (_ctx, { body }, record) => {
      await removeHook(deps, body.hookId, record)
      return {}
    }),
    loggedEndpoint(deps, hookRoutes.renewSecret, async (_ctx, { params }, record) => ({
      secret: await renewSecret(deps, params.hookId, record),
    })),
    loggedEndpoint(deps, hookRoutes.tryOut, async ({ principal, signal }, { params }) => {
      await deps.tests.take(principal.id)
      return tryHook(deps, params.hookId, signal)
    }),
    loggedEndpoint(deps, hookRoutes.replay, async (_ctx, { params, body }, record) => {
      const count = await replayDeliveries(deps, { id: params.hookId, ids: body.deliveryIds }, record)
      await deps.look()
      return { count }
    }),
  ]
}
