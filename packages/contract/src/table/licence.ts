// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const licence: RouteTable<(typeof ROUTES)['licence']> = {
  show: { method: 'GET', path: '/api/admin/licence' },
  install: { method: 'POST', path: '/api/admin/licence' },
  remove: { method: 'POST', path: '/api/admin/licence/remove' },
}
