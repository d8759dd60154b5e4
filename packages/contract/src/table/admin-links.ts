// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminLinks: RouteTable<(typeof ROUTES)['adminLinks']> = {
  list: { method: 'GET', path: '/api/admin/links' },
  get: { method: 'GET', path: '/api/admin/links/:linkId' },
  uses: { method: 'GET', path: '/api/admin/links/:linkId/uses' },
  tryOut: { method: 'POST', path: '/api/admin/links/try' },
  disable: { method: 'POST', path: '/api/admin/links/disable' },
  enable: { method: 'POST', path: '/api/admin/links/enable' },
  unbind: { method: 'POST', path: '/api/admin/links/unbind' },
  remove: { method: 'POST', path: '/api/admin/links/remove' },
}
