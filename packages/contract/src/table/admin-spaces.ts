// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminSpaces: RouteTable<(typeof ROUTES)['adminSpaces']> = {
  list: { method: 'GET', path: '/api/admin/spaces' },
  add: { method: 'POST', path: '/api/admin/spaces' },
  edit: { method: 'PATCH', path: '/api/admin/spaces/:spaceId' },
  remove: { method: 'POST', path: '/api/admin/spaces/remove' },
  usage: { method: 'GET', path: '/api/admin/spaces/usage' },
  members: { method: 'GET', path: '/api/admin/spaces/:spaceId/members' },
  setMembers: { method: 'POST', path: '/api/admin/spaces/:spaceId/members' },
  removeMembers: { method: 'POST', path: '/api/admin/spaces/:spaceId/members/remove' },
}
