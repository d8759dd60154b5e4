import { INCOMING } from '@godwit/contract/content/incoming'
import { routes } from '@godwit/contract/table'
import type { Api } from '../../../lib/http.ts'
import type { EndReason, SessionStore } from '../../../lib/session.ts'

/** Ends the session here at once and on the server; when the server cannot be reached, idling ends it there. */
export function logOut(api: Api, session: SessionStore, reason: EndReason): void {
  const token = session.get()?.token
  session.end(reason)
  // Whoever uses this device next does not find what was shared for somebody else.
  if (reason === 'logged-out' && 'caches' in globalThis) void caches.delete(INCOMING.cache)
  if (token === undefined) return
  api
    .call(routes.auth.logout, {}, { token })
    .then(({ leaveTo }) => {
      // Whoever signs out by themselves means the session at the identity provider, too.
      if (reason === 'logged-out' && leaveTo !== undefined) location.assign(leaveTo)
    })
    .catch(() => undefined)
}
