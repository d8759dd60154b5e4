// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminSyslog: RouteTable<(typeof ROUTES)['adminSyslog']> = {
  state: { method: 'GET', path: '/api/admin/syslog' },
  test: { method: 'POST', path: '/api/admin/syslog/test' },
}
