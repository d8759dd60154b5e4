// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminTransfers: RouteTable<(typeof ROUTES)['adminTransfers']> = {
  list: { method: 'GET', path: '/api/admin/transfers' },
  get: { method: 'GET', path: '/api/admin/transfers/:transferId' },
  control: { method: 'POST', path: '/api/admin/transfers/control' },
  limit: { method: 'POST', path: '/api/admin/transfers/limit' },
}
