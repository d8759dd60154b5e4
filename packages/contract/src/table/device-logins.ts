// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const deviceLogins: RouteTable<(typeof ROUTES)['deviceLogins']> = {
  begin: { method: 'POST', path: '/api/device-login' },
  token: { method: 'POST', path: '/api/device-login/token' },
  look: { method: 'POST', path: '/api/user/device-login' },
  decide: { method: 'POST', path: '/api/user/device-login/decide' },
  register: { method: 'POST', path: '/api/user/device' },
  signOut: { method: 'POST', path: '/api/user/device/sign-out' },
}
