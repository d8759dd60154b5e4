// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const certificates: RouteTable<(typeof ROUTES)['certificates']> = {
  list: { method: 'GET', path: '/api/admin/certificates' },
  upload: { method: 'POST', path: '/api/admin/certificates' },
  selfSigned: { method: 'POST', path: '/api/admin/certificates/self-signed' },
  remove: { method: 'POST', path: '/api/admin/certificates/remove' },
}
