// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminDevices: RouteTable<(typeof ROUTES)['adminDevices']> = {
  list: { method: 'GET', path: '/api/admin/clients' },
  signOut: { method: 'POST', path: '/api/admin/clients/sign-out' },
}
