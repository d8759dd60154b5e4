// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminSecuritySettings: RouteTable<(typeof ROUTES)['adminSecuritySettings']> = {
  list: { method: 'GET', path: '/api/admin/security/settings' },
  edit: { method: 'PATCH', path: '/api/admin/security/settings' },
  history: { method: 'GET', path: '/api/admin/security/settings/history' },
}
