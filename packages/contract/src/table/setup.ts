// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const setup: RouteTable<(typeof ROUTES)['setup']> = {
  create: { method: 'POST', path: '/api/setup' },
}
