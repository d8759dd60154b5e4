// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminRecycle: RouteTable<(typeof ROUTES)['adminRecycle']> = {
  list: { method: 'GET', path: '/api/admin/recycle' },
  restore: { method: 'POST', path: '/api/admin/recycle/restore' },
  clear: { method: 'POST', path: '/api/admin/recycle/clear' },
}
