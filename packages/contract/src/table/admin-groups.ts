// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminGroups: RouteTable<(typeof ROUTES)['adminGroups']> = {
  list: { method: 'GET', path: '/api/admin/groups' },
  get: { method: 'GET', path: '/api/admin/groups/:groupId' },
  add: { method: 'POST', path: '/api/admin/groups' },
  edit: { method: 'PATCH', path: '/api/admin/groups/:groupId' },
  remove: { method: 'POST', path: '/api/admin/groups/remove' },
  members: { method: 'GET', path: '/api/admin/groups/:groupId/members' },
  setMembers: { method: 'POST', path: '/api/admin/groups/:groupId/members' },
  removeMembers: { method: 'POST', path: '/api/admin/groups/:groupId/members/remove' },
}
