// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminNotices: RouteTable<(typeof ROUTES)['adminNotices']> = {
  list: { method: 'GET', path: '/api/admin/notices' },
  targets: { method: 'GET', path: '/api/admin/notices/targets' },
  types: { method: 'GET', path: '/api/admin/notices/types' },
  reach: { method: 'GET', path: '/api/admin/notices/reach' },
  get: { method: 'GET', path: '/api/admin/notices/:noticeId' },
  send: { method: 'POST', path: '/api/admin/notices' },
  edit: { method: 'POST', path: '/api/admin/notices/:noticeId' },
  cancel: { method: 'POST', path: '/api/admin/notices/cancel' },
}
