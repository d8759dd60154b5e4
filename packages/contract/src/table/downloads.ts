// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const downloads: RouteTable<(typeof ROUTES)['downloads']> = {
  content: { method: 'GET', path: '/api/files/content', raw: 'reply' },
  contentHead: { method: 'HEAD', path: '/api/files/content', raw: 'reply' },
  ticket: { method: 'POST', path: '/api/files/ticket' },
}
