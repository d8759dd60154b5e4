// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminCertificateSettings: RouteTable<(typeof ROUTES)['adminCertificateSettings']> = {
  list: { method: 'GET', path: '/api/admin/certificates/settings' },
  edit: { method: 'PATCH', path: '/api/admin/certificates/settings' },
  history: { method: 'GET', path: '/api/admin/certificates/settings/history' },
}
