// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminSessions: RouteTable<(typeof ROUTES)['adminSessions']> = {
  list: { method: 'GET', path: '/api/admin/sessions' },
  end: { method: 'POST', path: '/api/admin/sessions/end' },
}
