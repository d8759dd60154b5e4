import { adminSpaceRoutes } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import {
  addConsoleSpace,
  editConsoleSpace,
  listSpaceMembers,
  listSpaces,
  removeConsoleSpace,
  removeSpaceMembers,
  setSpaceMembers,
  spacesUsage,
  type ConsoleSpacesDeps,
} from './spaces.service.ts'

export function spaceEndpoints(deps: ConsoleSpacesDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminSpaceRoutes.list, async (ctx) => ({ spaces: await listSpaces(deps, ctx) })),
    loggedEndpoint(log, adminSpaceRoutes.add, async (ctx, { body }, record) => ({
      spaceId: await addConsoleSpace(deps, { ctx, record }, body),
    })),
    loggedEndpoint(log, adminSpaceRoutes.edit, async (ctx, { params, body }, record) => {
      await editConsoleSpace(deps, { ctx, record }, { id: params.spaceId, change: body })
      return {}
    }),
    loggedEndpoint(log, adminSpaceRoutes.remove, async (ctx, { body }, record) => {
      await removeConsoleSpace(deps, { ctx, record }, body.spaceId)
      return {}
    }),
    endpoint(adminSpaceRoutes.usage, async (ctx) => ({ usage: await spacesUsage(deps, ctx) })),
    endpoint(adminSpaceRoutes.members, (ctx, { params, query }) =>
      listSpaceMembers(deps, ctx, { ...params, ...query }),
    ),
    loggedEndpoint(log, adminSpaceRoutes.setMembers, async (ctx, { params, body }, record) => ({
      members: await setSpaceMembers(deps, { ctx, record }, { ...params, change: body }),
    })),
    loggedEndpoint(log, adminSpaceRoutes.removeMembers, async (ctx, { params, body }, record) => ({
      members: await removeSpaceMembers(deps, { ctx, record }, { ...params, people: body }),
    })),
  ]
}
