// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminAuthentication: RouteTable<(typeof ROUTES)['adminAuthentication']> = {
  list: { method: 'GET', path: '/api/admin/authentication/providers' },
  add: { method: 'POST', path: '/api/admin/authentication/providers' },
  edit: { method: 'PATCH', path: '/api/admin/authentication/providers/:providerId' },
  remove: { method: 'POST', path: '/api/admin/authentication/providers/remove' },
  order: { method: 'POST', path: '/api/admin/authentication/providers/order' },
  tryOut: { method: 'POST', path: '/api/admin/authentication/try' },
  sync: { method: 'POST', path: '/api/admin/authentication/providers/:providerId/sync' },
  syncs: { method: 'GET', path: '/api/admin/authentication/syncs' },
  syncDetail: { method: 'GET', path: '/api/admin/authentication/syncs/:syncId' },
  syncChanges: { method: 'GET', path: '/api/admin/authentication/syncs/:syncId/changes' },
}
