// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminUsers: RouteTable<(typeof ROUTES)['adminUsers']> = {
  list: { method: 'GET', path: '/api/admin/users' },
  get: { method: 'GET', path: '/api/admin/users/:userId' },
  add: { method: 'POST', path: '/api/admin/users' },
  edit: { method: 'PATCH', path: '/api/admin/users/:userId' },
  export: { method: 'GET', path: '/api/admin/users/export', raw: 'reply' },
  import: { method: 'POST', path: '/api/admin/users/import' },
  invite: { method: 'POST', path: '/api/admin/users/invite' },
  withdrawInvitation: { method: 'POST', path: '/api/admin/users/withdraw-invitation' },
  lock: { method: 'POST', path: '/api/admin/users/lock' },
  unlock: { method: 'POST', path: '/api/admin/users/unlock' },
  remove: { method: 'POST', path: '/api/admin/users/remove' },
}
