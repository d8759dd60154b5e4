// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const signOn: RouteTable<(typeof ROUTES)['signOn']> = {
  begin: { method: 'POST', path: '/api/user/sign-on/begin' },
  finish: { method: 'POST', path: '/api/user/sign-on/finish' },
  ended: { method: 'POST', path: '/api/user/sign-on/ended', raw: 'both' },
  samlMetadata: { method: 'GET', path: '/api/user/sign-on/saml/metadata', raw: 'reply' },
  samlAnswer: { method: 'POST', path: '/api/user/sign-on/saml', raw: 'both' },
  samlSignOut: { method: 'GET', path: '/api/user/sign-on/saml/sign-out', raw: 'both' },
  samlSignOutForm: { method: 'POST', path: '/api/user/sign-on/saml/sign-out', raw: 'both' },
}
