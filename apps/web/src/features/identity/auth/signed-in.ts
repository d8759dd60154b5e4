import type { Clock } from '@godwit/base'
import type { LoginReply } from '@godwit/contract'
import type { Session } from '../../../lib/session.ts'
import { readStored, writeStored } from '../../../lib/storage.ts'

const DEVICE_KEY = 'godwit.device'

/** What the last sign-in in this browser left here. It keeps its person's way in while strangers guess; it opens nothing. */
export function rememberedDevice(): { readonly device?: string } {
  const device = readStored(DEVICE_KEY)
  return device === undefined ? {} : { device }
}

/** The session of a sign-in, whose device is remembered. */
export function signedIn(reply: LoginReply, clock: Clock): Session {
  writeStored(DEVICE_KEY, reply.device)
  return {
    token: reply.token,
    refreshToken: reply.refresh_token,
    userId: reply.userId,
    account: reply.account,
    refreshedAt: clock.now(),
  }
}
