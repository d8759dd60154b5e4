// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const mail: RouteTable<(typeof ROUTES)['mail']> = {
  ownInfo: { method: 'GET', path: '/api/user/smtp/info' },
  ownUpdate: { method: 'POST', path: '/api/user/smtp/update' },
  ownTest: { method: 'POST', path: '/api/user/smtp/test' },
}
