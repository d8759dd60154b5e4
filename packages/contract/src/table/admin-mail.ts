// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminMail: RouteTable<(typeof ROUTES)['adminMail']> = {
  info: { method: 'GET', path: '/api/admin/mail/sender' },
  update: { method: 'POST', path: '/api/admin/mail/sender' },
  test: { method: 'POST', path: '/api/admin/mail/test' },
}
