// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminStorages: RouteTable<(typeof ROUTES)['adminStorages']> = {
  list: { method: 'GET', path: '/api/admin/storages' },
  get: { method: 'GET', path: '/api/admin/storages/:storageId' },
  add: { method: 'POST', path: '/api/admin/storages' },
  edit: { method: 'PATCH', path: '/api/admin/storages/:storageId' },
  remove: { method: 'POST', path: '/api/admin/storages/remove' },
  tryOut: { method: 'POST', path: '/api/admin/storages/try' },
  test: { method: 'POST', path: '/api/admin/storages/:storageId/test' },
  setCleaning: { method: 'PUT', path: '/api/admin/storages/:storageId/cleaning' },
  previewCleaning: { method: 'POST', path: '/api/admin/storages/:storageId/cleaning/preview' },
  cleanNow: { method: 'POST', path: '/api/admin/storages/:storageId/cleaning/run' },
}
