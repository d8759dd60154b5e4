// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const backups: RouteTable<(typeof ROUTES)['backups']> = {
  list: { method: 'GET', path: '/api/admin/backups' },
  begin: { method: 'POST', path: '/api/admin/backups' },
  drill: { method: 'POST', path: '/api/admin/backups/drill' },
}
