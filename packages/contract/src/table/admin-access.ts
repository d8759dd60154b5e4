// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminAccess: RouteTable<(typeof ROUTES)['adminAccess']> = {
  ask: { method: 'GET', path: '/api/admin/users/:userId/access' },
}
