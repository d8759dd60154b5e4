// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const transfers: RouteTable<(typeof ROUTES)['transfers']> = {
  upload: { method: 'POST', path: '/api/transfers/upload' },
  download: { method: 'POST', path: '/api/transfers/download' },
  list: { method: 'GET', path: '/api/transfers' },
  files: { method: 'GET', path: '/api/transfers/:transferId/files' },
  begin: { method: 'POST', path: '/api/transfers/browser' },
  report: { method: 'POST', path: '/api/transfers/browser/:transferId' },
  clear: { method: 'POST', path: '/api/transfers/clear' },
  ticket: { method: 'POST', path: '/api/transfers/:transferId/ticket' },
  pause: { method: 'POST', path: '/api/transfers/:transferId/pause' },
  resume: { method: 'POST', path: '/api/transfers/:transferId/resume' },
  limit: { method: 'POST', path: '/api/transfers/:transferId/limit' },
  cancel: { method: 'POST', path: '/api/transfers/:transferId/cancel' },
}
