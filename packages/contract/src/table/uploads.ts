// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const uploads: RouteTable<(typeof ROUTES)['uploads']> = {
  create: { method: 'POST', path: '/api/uploads' },
  part: { method: 'PUT', path: '/api/uploads/:uploadId/parts/:offset', raw: 'request' },
  status: { method: 'GET', path: '/api/uploads/:uploadId' },
  complete: { method: 'POST', path: '/api/uploads/:uploadId/complete' },
  abort: { method: 'DELETE', path: '/api/uploads/:uploadId' },
  abortTwin: { method: 'POST', path: '/api/uploads/:uploadId/abort' },
  mine: { method: 'GET', path: '/api/uploads' },
  pack: { method: 'POST', path: '/api/uploads/pack', raw: 'request' },
}
