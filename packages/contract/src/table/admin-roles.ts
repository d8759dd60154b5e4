// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminRoles: RouteTable<(typeof ROUTES)['adminRoles']> = {
  list: { method: 'GET', path: '/api/admin/roles' },
  add: { method: 'POST', path: '/api/admin/roles' },
  edit: { method: 'PATCH', path: '/api/admin/roles/:roleId' },
  remove: { method: 'POST', path: '/api/admin/roles/remove' },
}
