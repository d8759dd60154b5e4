// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminSpaceMoves: RouteTable<(typeof ROUTES)['adminSpaceMoves']> = {
  view: { method: 'GET', path: '/api/admin/spaces/:spaceId/move' },
  begin: { method: 'POST', path: '/api/admin/spaces/:spaceId/move' },
  pause: { method: 'POST', path: '/api/admin/spaces/:spaceId/move/pause' },
  switch: { method: 'POST', path: '/api/admin/spaces/:spaceId/move/switch' },
  cancel: { method: 'POST', path: '/api/admin/spaces/:spaceId/move/cancel' },
  free: { method: 'POST', path: '/api/admin/spaces/:spaceId/move/free' },
}
