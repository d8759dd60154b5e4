// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminDesignImages: RouteTable<(typeof ROUTES)['adminDesignImages']> = {
  list: { method: 'GET', path: '/api/admin/design/images' },
  change: { method: 'PUT', path: '/api/admin/design/images' },
}
