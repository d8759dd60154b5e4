// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminBackupSettings: RouteTable<(typeof ROUTES)['adminBackupSettings']> = {
  list: { method: 'GET', path: '/api/admin/backups/settings' },
  edit: { method: 'PATCH', path: '/api/admin/backups/settings' },
  history: { method: 'GET', path: '/api/admin/backups/settings/history' },
}
