// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const administrators: RouteTable<(typeof ROUTES)['administrators']> = {
  list: { method: 'GET', path: '/api/admin/administrators' },
  appoint: { method: 'POST', path: '/api/admin/administrators' },
  edit: { method: 'PATCH', path: '/api/admin/administrators/:userId' },
  remove: { method: 'POST', path: '/api/admin/administrators/remove' },
  transferSuper: { method: 'POST', path: '/api/admin/administrators/transfer-super' },
}
