// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const hooks: RouteTable<(typeof ROUTES)['hooks']> = {
  list: { method: 'GET', path: '/api/admin/hooks' },
  add: { method: 'POST', path: '/api/admin/hooks' },
  edit: { method: 'POST', path: '/api/admin/hooks/:hookId' },
  remove: { method: 'POST', path: '/api/admin/hooks/remove' },
  renewSecret: { method: 'POST', path: '/api/admin/hooks/:hookId/secret' },
  tryOut: { method: 'POST', path: '/api/admin/hooks/:hookId/test' },
  deliveries: { method: 'GET', path: '/api/admin/hooks/:hookId/deliveries' },
  replay: { method: 'POST', path: '/api/admin/hooks/:hookId/replay' },
}
