import type { Clock } from '@godwit/base'
import type { SessionEnd } from '@godwit/contract'
import type { Sessions } from '../../identity/auth/index.ts'
import type { Actor, Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'

export interface Login {
  readonly token?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/** A login that was checked once and can be checked again. */
export interface ProvenLogin {
  readonly actor: Actor
  /** The session token, when the caller showed it. */
  readonly bearer: string | undefined
  /** The actor as it is now; undefined when the session ended. @param touch whether this counts as activity */
  renew(touch: boolean): Promise<Actor | undefined>
  /** Why it no longer holds; undefined while it does. */
  endedBy(): Promise<SessionEnd | undefined>
}

export interface CredentialsDeps {
  readonly sessions: Sessions
  readonly clock: Clock
}

export interface Credentials {
  /** @throws AppError TOKEN_INVALID, AUTH_FAILED */
  prove(login: Login, caller: Pick<Ctx, 'address'>): Promise<ProvenLogin>
}

/** What a check is worth, in milliseconds: the same as for a request by HTTP. */
const FRESH_MS = 1_000

/**
 * A session token, or user id and password as a transfer client derives them from it, so that the token itself never
 * leaves the page (document 2, section 4).
 */
export function createCredentials({ sessions, clock }: CredentialsDeps): Credentials {
  const endedBy = (actor: Actor, renew: () => Promise<Actor | undefined>) => async () =>
    (await renew()) === undefined ? sessions.whyEnded(actor.userId) : undefined
  return {
    async prove({ token, username, password }) {
      if (token !== undefined) {
        const renew = (touch: boolean) => sessions.authenticate(token, touch)
        const actor = await renew(true)
        if (actor === undefined) throw new AppError('TOKEN_INVALID')
        return { actor, bearer: token, renew, endedBy: endedBy(actor, () => renew(false)) }
      }
      const renew = remembering(clock, () => sessions.byTransferCredentials(username ?? '', password ?? ''))
      const actor = await renew()
      if (actor === undefined) throw new AppError('AUTH_FAILED')
      return { actor, bearer: undefined, renew, endedBy: endedBy(actor, renew) }
    },
  }
}

function remembering(clock: Clock, look: () => Promise<Actor | undefined>): () => Promise<Actor | undefined> {
  let known: Actor | undefined
  let lookedAt = -Infinity
  return async () => {
    if (clock.monotonic() - lookedAt < FRESH_MS) return known
    known = await look()
    lookedAt = clock.monotonic()
    return known
  }
}
