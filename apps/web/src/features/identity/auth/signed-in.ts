import type { Clock } from '@godwit/base'
import type { LoginReply } from '@godwit/contract'
import type { Session } from '../../../lib/session.ts'

export function signedIn(reply: LoginReply, clock: Clock): Session {
  return {
    token: reply.token,
    refreshToken: reply.refresh_token,
    userId: reply.userId,
    account: reply.account,
    refreshedAt: clock.now(),
  }
}
