// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const dashboard: RouteTable<(typeof ROUTES)['dashboard']> = {
  now: { method: 'GET', path: '/api/admin/dashboard' },
  checklist: { method: 'GET', path: '/api/admin/dashboard/checklist' },
  dismissChecklist: { method: 'POST', path: '/api/admin/dashboard/checklist/dismiss' },
  failedJobs: { method: 'GET', path: '/api/admin/jobs/failed' },
  rerunJobs: { method: 'POST', path: '/api/admin/jobs/rerun' },
  parkedEvents: { method: 'GET', path: '/api/admin/events/parked' },
  retryEvents: { method: 'POST', path: '/api/admin/events/retry' },
}
