// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const security: RouteTable<(typeof ROUTES)['security']> = {
  sessions: { method: 'GET', path: '/api/user/sessions' },
  endSession: { method: 'POST', path: '/api/user/sessions/end' },
  endOtherSessions: { method: 'POST', path: '/api/user/sessions/end-others' },
  signIns: { method: 'GET', path: '/api/user/sign-ins' },
  secondFactor: { method: 'GET', path: '/api/user/second-factor' },
  beginTotp: { method: 'POST', path: '/api/user/second-factor/begin' },
  confirmTotp: { method: 'POST', path: '/api/user/second-factor/confirm' },
  beginTotpSetUp: { method: 'POST', path: '/api/user/second-factor/set-up/begin' },
  setUpTotp: { method: 'POST', path: '/api/user/second-factor/set-up' },
  removeTotp: { method: 'POST', path: '/api/user/second-factor/remove' },
  renewRecoveryCodes: { method: 'POST', path: '/api/user/second-factor/recovery-codes' },
  passkeys: { method: 'GET', path: '/api/user/passkeys' },
  beginPasskey: { method: 'POST', path: '/api/user/passkeys/begin' },
  finishPasskey: { method: 'POST', path: '/api/user/passkeys/finish' },
  renamePasskey: { method: 'POST', path: '/api/user/passkeys/rename' },
  removePasskey: { method: 'POST', path: '/api/user/passkeys/remove' },
  beginPasskeyLogin: { method: 'POST', path: '/api/user/passkeys/login/begin' },
  finishPasskeyLogin: { method: 'POST', path: '/api/user/passkeys/login/finish' },
  apiTokens: { method: 'GET', path: '/api/user/api-tokens' },
  createApiToken: { method: 'POST', path: '/api/user/api-tokens' },
  removeApiToken: { method: 'POST', path: '/api/user/api-tokens/remove' },
}
