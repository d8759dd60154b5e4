// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const receivedLinks: RouteTable<(typeof ROUTES)['receivedLinks']> = {
  list: { method: 'GET', path: '/api/share/received/list' },
  open: { method: 'POST', path: '/api/share/received/open' },
}
