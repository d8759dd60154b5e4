// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const database: RouteTable<(typeof ROUTES)['database']> = {
  view: { method: 'GET', path: '/api/admin/database' },
  try: { method: 'POST', path: '/api/admin/database/try' },
  copy: { method: 'POST', path: '/api/admin/database/copy' },
  cancel: { method: 'POST', path: '/api/admin/database/copy/cancel' },
  switch: { method: 'POST', path: '/api/admin/database/switch' },
}
