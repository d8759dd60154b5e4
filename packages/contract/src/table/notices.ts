// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const notices: RouteTable<(typeof ROUTES)['notices']> = {
  list: { method: 'GET', path: '/api/notice/list' },
  markRead: { method: 'PATCH', path: '/api/notice/status/update' },
  markReadTwin: { method: 'POST', path: '/api/notice/status/update' },
}
