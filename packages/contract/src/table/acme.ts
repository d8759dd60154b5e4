// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const acme: RouteTable<(typeof ROUTES)['acme']> = {
  state: { method: 'GET', path: '/api/admin/certificates/acme' },
  order: { method: 'POST', path: '/api/admin/certificates/acme/order' },
}
