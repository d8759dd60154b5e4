// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const site: RouteTable<(typeof ROUTES)['site']> = {
  customised: { method: 'GET', path: '/customize/:asset', raw: 'reply' },
  website: { method: 'GET', path: '/api/website/info' },
  service: { method: 'GET', path: '/api/service/info' },
}
