// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminSettings: RouteTable<(typeof ROUTES)['adminSettings']> = {
  list: { method: 'GET', path: '/api/admin/settings' },
  edit: { method: 'PATCH', path: '/api/admin/settings' },
  history: { method: 'GET', path: '/api/admin/settings/history' },
}
