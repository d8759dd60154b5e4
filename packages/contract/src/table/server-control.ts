// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const serverControl: RouteTable<(typeof ROUTES)['serverControl']> = {
  status: { method: 'GET', path: '/api/admin/server' },
  config: { method: 'GET', path: '/api/admin/server/config' },
  doctor: { method: 'GET', path: '/api/admin/server/doctor' },
  probe: { method: 'POST', path: '/api/admin/server/probe', raw: 'request' },
  pace: { method: 'GET', path: '/api/admin/server/pace', raw: 'reply' },
  pause: { method: 'POST', path: '/api/admin/server/pause' },
  resume: { method: 'POST', path: '/api/admin/server/resume' },
  restart: { method: 'POST', path: '/api/admin/server/restart' },
  shutdown: { method: 'POST', path: '/api/admin/server/shutdown' },
}
