// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminMailSettings: RouteTable<(typeof ROUTES)['adminMailSettings']> = {
  list: { method: 'GET', path: '/api/admin/mail/settings' },
  edit: { method: 'PATCH', path: '/api/admin/mail/settings' },
  history: { method: 'GET', path: '/api/admin/mail/settings/history' },
}
