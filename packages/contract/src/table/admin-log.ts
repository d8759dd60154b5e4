// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminLog: RouteTable<(typeof ROUTES)['adminLog']> = {
  operations: { method: 'GET', path: '/api/admin/log/operations' },
  signIns: { method: 'GET', path: '/api/admin/log/sign-ins' },
  previews: { method: 'GET', path: '/api/admin/log/previews' },
  exportOperations: { method: 'GET', path: '/api/admin/log/operations/export', raw: 'reply' },
}
