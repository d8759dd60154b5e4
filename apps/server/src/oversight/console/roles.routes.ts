import { administratorRoutes, adminRoleRoutes } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import {
  appointAdministrator,
  changeRole,
  listAdministrators,
  removeAdministrator,
  transferSuper,
  type AdministratorsDeps,
} from './administrators.service.ts'
import { addRole, editRole, listRoles, removeRole } from './roles.service.ts'

export function roleEndpoints(deps: AdministratorsDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminRoleRoutes.list, (_ctx, { query }) => listRoles(deps.db, query)),
    loggedEndpoint(log, adminRoleRoutes.add, async (ctx, { body }, record) => ({
      role: await addRole(deps, { ctx, record }, body),
    })),
    loggedEndpoint(log, adminRoleRoutes.edit, async (ctx, { params, body }, record) => ({
      role: await editRole(deps, { ctx, record }, { id: params.roleId, change: body }),
    })),
    loggedEndpoint(log, adminRoleRoutes.remove, async (ctx, { body }, record) => {
      await removeRole(deps, { ctx, record }, body.roleId)
      return {}
    }),
  ]
}

export function administratorEndpoints(deps: AdministratorsDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(administratorRoutes.list, (_ctx, { query }) => listAdministrators(deps, query)),
    loggedEndpoint(log, administratorRoutes.appoint, async (ctx, { body }, record) => {
      await appointAdministrator(deps, { ctx, record }, body)
      return {}
    }),
    loggedEndpoint(log, administratorRoutes.edit, async (ctx, { params, body }, record) => {
      await changeRole(deps, { ctx, record }, { ...params, ...body })
      return {}
    }),
    loggedEndpoint(log, administratorRoutes.remove, async (ctx, { body }, record) => {
      await removeAdministrator(deps, { ctx, record }, body.userId)
      return {}
    }),
    loggedEndpoint(log, administratorRoutes.transferSuper, async (ctx, { body }, record) => {
      await transferSuper(deps, { ctx, record }, body)
      return {}
    }),
  ]
}
