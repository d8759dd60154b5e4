import { adminAuthenticationRoutes as routes } from '@godwit/contract'
import {
  editConflict,
  loggedEndpoint,
  type OperationLogDeps,
  type RecordChange,
} from '../../foundation/operation-log/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import { accountOf } from '../principals/index.ts'
import {
  addProvider,
  editProvider,
  listProviders,
  orderProviders,
  removeProvider,
  tryProvider,
  type ProvidersAdminDeps,
} from './providers.admin.ts'
import { presentSync, requestSync, requireProvider, type SyncDeps } from './sync.service.ts'
import { syncsStore } from './syncs.store.ts'

export interface ProviderEndpointsDeps extends ProvidersAdminDeps, SyncDeps {
  /** Tests of one administrator: each is a connection to a place that they chose. */
  readonly tests: CallLimit
}

export function providerEndpoints(deps: ProviderEndpointsDeps, log: OperationLogDeps): Endpoint[] {
  const { db } = deps
  return [
    endpoint(routes.list, async () => ({ providers: await listProviders(db) })),
    loggedEndpoint(log, routes.add, async (_ctx, { body }, record) => ({
      provider: await addProvider(deps, body, recorder(record)),
    })),
    loggedEndpoint(log, routes.edit, async (_ctx, { params: { providerId: id }, body }, record) => {
      const provider = await editProvider(deps, { id, change: body }, recorder(record))
      if (provider !== undefined) return { provider }
      const { revision: present } = await requireProvider(db, id)
      throw await editConflict(db, { kind: 'authentication', id }, { from: body.revision, present })
    }),
    loggedEndpoint(log, routes.remove, async (_ctx, { body }, record) => {
      await removeProvider(deps, body.providerId, recorder(record))
      return {}
    }),
    loggedEndpoint(log, routes.order, async (_ctx, { body }, record) => {
      await orderProviders(deps, body.providerIds, recorder(record))
      return { providers: await listProviders(db) }
    }),
    loggedEndpoint(log, routes.tryOut, async (ctx, { body }) => {
      await deps.tests.take(ctx.principal.id)
      return tryProvider(deps, body)
    }),
    ...syncEndpoints(deps, log),
  ]
}

function syncEndpoints(deps: ProviderEndpointsDeps, log: OperationLogDeps): Endpoint[] {
  const { db } = deps
  return [
    loggedEndpoint(log, routes.sync, async (ctx, { params, body }) => {
      const wanted = { ...params, dryRun: body.dryRun, locksMax: body.locksMax, by: callerOf(ctx) }
      return { sync: presentSync(await requestSync(deps, wanted)) }
    }),
    endpoint(routes.syncs, async (_ctx, { query: { providerId, page, size } }) => {
      const { rows, total } = await syncsStore.page(db, providerId, { page, size })
      return { rows: rows.map(presentSync), total, page, size }
    }),
    endpoint(routes.syncDetail, async (_ctx, { params }) => ({
      sync: presentSync(await requireSync(deps, params.syncId)),
    })),
    endpoint(routes.syncChanges, async (_ctx, { params: { syncId }, query: { change, page, size } }) => {
      await requireSync(deps, syncId)
      const { rows, total } = await syncsStore.changesPage(db, { syncId, change }, { page, size })
      return { rows: rows.map(({ kind, account, detail }) => ({ change: kind, account, detail })), total, page, size }
    }),
  ]
}

async function requireSync({ db }: ProviderEndpointsDeps, id: string) {
  const row = await syncsStore.byId(db, id)
  if (row === undefined) throw new AppError('JOB_NOT_FOUND')
  return row
}

function callerOf({ principal }: UserCtx): { readonly id: string; readonly account: string } {
  return { id: principal.id, account: accountOf(principal).account }
}

function recorder(record: RecordChange) {
  return (tx: Tx, thing: { id: number; name: string; before?: object; after?: object }) =>
    record(tx, { kind: 'authentication', ...thing })
}
