import { routes } from '@godwit/contract/table'
import type { Clock } from '@godwit/base'
import { LIMITS } from '@godwit/contract/limits'
import { type Api, isFailure } from './http.ts'
import type { SessionStore } from './session.ts'
import { takeTurns } from './take-turns.ts'

export interface RefreshDeps {
  readonly api: Api
  readonly session: SessionStore
  readonly clock: Clock
}

/**
 * Renews the token pair when the last one is 20 minutes old. Each refresh token works once, and using one twice ends the
 * session everywhere, so tabs take turns under a lock and look again once they hold it.
 */
export async function refreshWhenDue({ api, session, clock }: RefreshDeps): Promise<void> {
  const isDue = (): boolean => {
    const now = session.get()
    return now !== undefined && clock.now() - now.refreshedAt >= LIMITS.tokenRefreshMs
  }
  if (!isDue()) return
  await takeTurns(async () => {
    const before = session.get()
    if (before === undefined || !isDue()) return
    try {
      const pair = await api.call(routes.auth.refresh, {}, { token: before.refreshToken })
      if (session.get()?.refreshToken === before.refreshToken) {
        session.set({ ...before, token: pair.token, refreshToken: pair.refresh_token, refreshedAt: clock.now() })
      } else {
        // Who logged out while the pair was on its way stays logged out, and the server forgets the pair.
        await api.call(routes.auth.logout, {}, { token: pair.token })
      }
    } catch (error) {
      // A server that is out of reach or busy, or counts too many calls, says nothing of the session: the next check tries again.
      if (isFailure(error, 'TOKEN_INVALID')) session.end('expired')
    }
  })
}
