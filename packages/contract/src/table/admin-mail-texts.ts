// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminMailTexts: RouteTable<(typeof ROUTES)['adminMailTexts']> = {
  list: { method: 'GET', path: '/api/admin/mail/templates' },
  preview: { method: 'POST', path: '/api/admin/mail/templates/preview' },
  test: { method: 'POST', path: '/api/admin/mail/templates/test' },
}
