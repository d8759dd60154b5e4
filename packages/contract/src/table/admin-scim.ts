// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminScim: RouteTable<(typeof ROUTES)['adminScim']> = {
  detail: { method: 'GET', path: '/api/admin/authentication/scim' },
  edit: { method: 'PATCH', path: '/api/admin/authentication/scim' },
  createToken: { method: 'POST', path: '/api/admin/authentication/scim/token' },
}
