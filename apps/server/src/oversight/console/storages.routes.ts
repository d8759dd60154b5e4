import { adminStorageRoutes } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { cleanConsoleStorage, previewConsoleCleaning, setConsoleCleaning } from './storages.cleaning.ts'
import {
  addConsoleStorage,
  editConsoleStorage,
  getConsoleStorage,
  listConsoleStorages,
  removeConsoleStorage,
  testConsoleStorage,
  tryConsoleStorage,
  type ConsoleStoragesDeps,
} from './storages.service.ts'

export function storageEndpoints(deps: ConsoleStoragesDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminStorageRoutes.list, async () => ({ storages: await listConsoleStorages(deps) })),
    endpoint(adminStorageRoutes.get, async (_ctx, { params }) => ({
      storage: await getConsoleStorage(deps, params.storageId),
    })),
    loggedEndpoint(log, adminStorageRoutes.add, async (ctx, { body }, record) => ({
      storage: await addConsoleStorage(deps, { ctx, record }, body),
    })),
    loggedEndpoint(log, adminStorageRoutes.edit, async (ctx, { params, body }, record) => ({
      storage: await editConsoleStorage(deps, { ctx, record }, { id: params.storageId, change: body }),
    })),
    loggedEndpoint(log, adminStorageRoutes.remove, async (ctx, { body }, record) => {
      await removeConsoleStorage(deps, { ctx, record }, body.storageId)
      return {}
    }),
    loggedEndpoint(log, adminStorageRoutes.tryOut, (ctx, { body }) => tryConsoleStorage(deps, ctx, body)),
    loggedEndpoint(log, adminStorageRoutes.setCleaning, async (_ctx, { params, body }, record) => {
      await setConsoleCleaning(deps, record, { id: params.storageId, rule: body.rule ?? undefined })
      return { storage: await getConsoleStorage(deps, params.storageId) }
    }),
    loggedEndpoint(log, adminStorageRoutes.previewCleaning, (ctx, { params, body }) =>
      previewConsoleCleaning(deps, ctx, { id: params.storageId, rule: body }),
    ),
    loggedEndpoint(log, adminStorageRoutes.cleanNow, async (_ctx, { params }) => {
      await cleanConsoleStorage(deps, params.storageId)
      return {}
    }),
    loggedEndpoint(log, adminStorageRoutes.test, (_ctx, { params }) => testConsoleStorage(deps, params.storageId)),
  ]
}
