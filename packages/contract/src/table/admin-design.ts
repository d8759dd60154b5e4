// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminDesign: RouteTable<(typeof ROUTES)['adminDesign']> = {
  list: { method: 'GET', path: '/api/admin/design/settings' },
  edit: { method: 'PATCH', path: '/api/admin/design/settings' },
  history: { method: 'GET', path: '/api/admin/design/settings/history' },
}
