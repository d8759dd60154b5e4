import { adminGroupRoutes, departmentRoutes } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import type { ConsoleDeps } from './console.types.ts'
import { addDepartment, editDepartment, listDepartments, removeDepartment } from './departments.service.ts'
import {
  addConsoleGroup,
  editConsoleGroup,
  getConsoleGroup,
  listConsoleGroups,
  listMembers,
  removeConsoleGroup,
  removeMembers,
  setMembers,
  type ConsoleGroupsDeps,
} from './groups.service.ts'

export function departmentEndpoints(deps: ConsoleDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(departmentRoutes.list, async () => ({ departments: await listDepartments(deps.db) })),
    loggedEndpoint(log, departmentRoutes.add, async (ctx, { body }, record) => ({
      department: await addDepartment(deps, { ctx, record }, body),
    })),
    loggedEndpoint(log, departmentRoutes.edit, async (ctx, { params, body }, record) => ({
      department: await editDepartment(deps, { ctx, record }, { id: params.departmentId, change: body }),
    })),
    loggedEndpoint(log, departmentRoutes.remove, async (ctx, { body }, record) => ({
      users: await removeDepartment(deps, { ctx, record }, body.departmentId),
    })),
  ]
}

export function groupEndpoints(deps: ConsoleGroupsDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminGroupRoutes.list, (ctx, { query }) => listConsoleGroups(deps, ctx, query)),
    endpoint(adminGroupRoutes.get, async (ctx, { params }) => ({
      group: await getConsoleGroup(deps, ctx, params.groupId),
    })),
    loggedEndpoint(log, adminGroupRoutes.add, async (ctx, { body }, record) => ({
      group: await addConsoleGroup(deps, { ctx, record }, body),
    })),
    loggedEndpoint(log, adminGroupRoutes.edit, async (ctx, { params, body }, record) => ({
      group: await editConsoleGroup(deps, { ctx, record }, { id: params.groupId, change: body }),
    })),
    loggedEndpoint(log, adminGroupRoutes.remove, async (ctx, { body }, record) => {
      await removeConsoleGroup(deps, { ctx, record }, body.groupId)
      return {}
    }),
    endpoint(adminGroupRoutes.members, (ctx, { params, query }) => listMembers(deps, ctx, { ...params, ...query })),
    loggedEndpoint(log, adminGroupRoutes.setMembers, async (ctx, { params, body }, record) => ({
      members: await setMembers(deps, { ctx, record }, { groupId: params.groupId, change: body }),
    })),
    loggedEndpoint(log, adminGroupRoutes.removeMembers, async (ctx, { params, body }, record) => ({
      members: await removeMembers(deps, { ctx, record }, { groupId: params.groupId, people: body }),
    })),
  ]
}
