// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const admin: RouteTable<(typeof ROUTES)['admin']> = {
  clock: { method: 'GET', path: '/api/admin/clock' },
  me: { method: 'GET', path: '/api/admin/me' },
}
