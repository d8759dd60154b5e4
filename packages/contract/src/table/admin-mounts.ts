// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminMounts: RouteTable<(typeof ROUTES)['adminMounts']> = {
  list: { method: 'GET', path: '/api/admin/users/:userId/mounts' },
  add: { method: 'POST', path: '/api/admin/users/:userId/mounts' },
  rename: { method: 'PATCH', path: '/api/admin/users/:userId/mounts/:mountId' },
  remove: { method: 'POST', path: '/api/admin/users/:userId/mounts/:mountId/remove' },
}
