// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminViews: RouteTable<(typeof ROUTES)['adminViews']> = {
  list: { method: 'GET', path: '/api/admin/views' },
  save: { method: 'POST', path: '/api/admin/views' },
  remove: { method: 'POST', path: '/api/admin/views/remove' },
}
