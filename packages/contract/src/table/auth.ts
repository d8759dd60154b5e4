// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const auth: RouteTable<(typeof ROUTES)['auth']> = {
  login: { method: 'POST', path: '/api/user/login' },
  refresh: { method: 'PUT', path: '/api/user/auth' },
  logout: { method: 'POST', path: '/api/user/logout' },
  logoutEverywhere: { method: 'POST', path: '/api/user/logout/all' },
  spaces: { method: 'GET', path: '/api/user/space' },
  info: { method: 'GET', path: '/api/user/info' },
  chooseSpace: { method: 'PUT', path: '/api/user/space' },
  changePassword: { method: 'PUT', path: '/api/user/password/update' },
  firstLogin: { method: 'POST', path: '/api/user/password/firstLogin/update' },
  emailVerification: { method: 'POST', path: '/api/user/emailVerification' },
  updateInfo: { method: 'POST', path: '/api/user/info/update' },
  legacy: { method: 'POST', path: '/api/legacy' },
  resetSend: { method: 'POST', path: '/api/user/reset/password' },
  resetVerify: { method: 'GET', path: '/api/user/reset/password' },
  resetSet: { method: 'PUT', path: '/api/user/reset/password' },
  openInvitation: { method: 'POST', path: '/api/user/invitation' },
  acceptInvitation: { method: 'POST', path: '/api/user/invitation/accept' },
}
