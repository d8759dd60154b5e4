// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const groups: RouteTable<(typeof ROUTES)['groups']> = {
  list: { method: 'GET', path: '/api/group/list' },
}
