// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminRemovedUsers: RouteTable<(typeof ROUTES)['adminRemovedUsers']> = {
  list: { method: 'GET', path: '/api/admin/removed-users' },
  settle: { method: 'POST', path: '/api/admin/removed-users/settle' },
}
