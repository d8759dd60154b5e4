// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const metrics: RouteTable<(typeof ROUTES)['metrics']> = {
  scrape: { method: 'GET', path: '/metrics', raw: 'reply' },
  token: { method: 'GET', path: '/api/admin/metrics/token' },
  createToken: { method: 'POST', path: '/api/admin/metrics/token' },
  removeToken: { method: 'POST', path: '/api/admin/metrics/token/remove' },
}
