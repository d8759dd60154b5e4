// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const clients: RouteTable<(typeof ROUTES)['clients']> = {
  mine: { method: 'GET', path: '/api/user/client' },
  setSpace: { method: 'POST', path: '/api/user/client/space' },
  upgrade: { method: 'POST', path: '/api/user/client/upgrade' },
  release: { method: 'GET', path: '/api/user/client/release' },
  upload: { method: 'POST', path: '/api/user/client/upload' },
  download: { method: 'POST', path: '/api/user/client/download' },
  sync: { method: 'POST', path: '/api/user/client/sync' },
  packageTicket: { method: 'POST', path: '/api/user/client/ticket' },
  package: { method: 'GET', path: '/download/:type', raw: 'reply' },
}
