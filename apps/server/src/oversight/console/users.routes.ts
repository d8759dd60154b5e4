import { adminRemovedUserRoutes, adminUserRoutes } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { inviteUsers, setUsersLocked, withdrawInvitations } from './users.bulk.ts'
import { importUsers } from './users.import.ts'
import { addUser, editUser, getUser, listUsers } from './users.service.ts'
import { listRemoved, removeUsers, settleRemoved, type RemovalUsersDeps } from './users.removal.ts'

export function userEndpoints(deps: RemovalUsersDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminUserRoutes.list, (_ctx, { query: { page, size, sort, order, ...filter } }) =>
      listUsers(deps, filter, { page, size, sort, order }),
    ),
    endpoint(adminUserRoutes.get, async (_ctx, { params }) => ({ user: await getUser(deps, params.userId) })),
    loggedEndpoint(log, adminUserRoutes.add, async (ctx, { body }, record) => ({
      user: await addUser(deps, { ctx, record }, body),
    })),
    loggedEndpoint(log, adminUserRoutes.edit, async (ctx, { params, body }, record) => ({
      user: await editUser(deps, { ctx, record }, { id: params.userId, change: body }),
    })),
    loggedEndpoint(log, adminUserRoutes.import, (ctx, { body }, record) => importUsers(deps, { ctx, record }, body)),
    loggedEndpoint(log, adminUserRoutes.invite, (ctx, { body }, record) => inviteUsers(deps, { ctx, record }, body)),
    loggedEndpoint(log, adminUserRoutes.withdrawInvitation, (ctx, { body }, record) =>
      withdrawInvitations(deps, { ctx, record }, body),
    ),
    loggedEndpoint(log, adminUserRoutes.lock, (ctx, { body }, record) =>
      setUsersLocked(deps, { ctx, record }, body, true),
    ),
    loggedEndpoint(log, adminUserRoutes.unlock, (ctx, { body }, record) =>
      setUsersLocked(deps, { ctx, record }, body, false),
    ),
    loggedEndpoint(log, adminUserRoutes.remove, (ctx, { body }, record) => removeUsers(deps, { ctx, record }, body)),
    endpoint(adminRemovedUserRoutes.list, (ctx, { query }) => listRemoved(deps, ctx, query)),
    loggedEndpoint(log, adminRemovedUserRoutes.settle, (ctx, { body }, record) =>
      settleRemoved(deps, { ctx, record }, body),
    ),
  ]
}
