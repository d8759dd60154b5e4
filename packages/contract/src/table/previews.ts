// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const previews: RouteTable<(typeof ROUTES)['previews']> = {
  content: { method: 'GET', path: '/api/files/preview/content', raw: 'reply' },
  contentHead: { method: 'HEAD', path: '/api/files/preview/content', raw: 'reply' },
  thumbnail: { method: 'GET', path: '/api/files/thumbnail', raw: 'reply' },
}
