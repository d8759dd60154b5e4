import type { Clock } from '@godwit/base'
import type { SessionEnd } from '@godwit/contract'
import type { Sessions } from '../../identity/auth/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { admittedFrom } from '../../identity/principals/index.ts'
import { AppError } from '../../kernel/errors.ts'

export interface Login {
  readonly token?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/** A login that was checked once and can be checked again. */
export interface ProvenLogin {
  readonly principal: AccountPrincipal
  /** The session token, when the caller showed it. */
  readonly bearer: string | undefined
  /** The principal as it is now; undefined when the session ended. @param touch whether this counts as activity */
  renew(touch: boolean): Promise<AccountPrincipal | undefined>
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
 * Accepts a session token, or the user id and password that a transfer client derives from it, so that the token itself
 * never leaves the page.
 */
export function createCredentials({ sessions, clock }: CredentialsDeps): Credentials {
  const endedBy = (principal: AccountPrincipal, renew: () => Promise<AccountPrincipal | undefined>) => async () =>
    (await renew()) === undefined ? sessions.whyEnded(principal.id) : undefined
  return {
    async prove({ token, username, password }, { address }) {
      const admitted = (principal: AccountPrincipal | undefined) => principal && admittedFrom(principal, address)
      if (token !== undefined) {
        const renew = async (touch: boolean) => admitted(await sessions.authenticate(token, touch))
        const principal = await renew(true)
        if (principal === undefined) throw new AppError('TOKEN_INVALID')
        return { principal, bearer: token, renew, endedBy: endedBy(principal, () => renew(false)) }
      }
      const look = remembering(clock, () => sessions.byTransferCredentials(username ?? '', password ?? ''))
      const renew = async () => admitted(await look())
      const principal = await renew()
      if (principal === undefined) throw new AppError('AUTH_FAILED')
      return { principal, bearer: undefined, renew, endedBy: endedBy(principal, renew) }
    },
  }
}

function remembering(
  clock: Clock,
  look: () => Promise<AccountPrincipal | undefined>,
): () => Promise<AccountPrincipal | undefined> {
  let known: AccountPrincipal | undefined
  let lookedAt = -Infinity
  return async () => {
    if (clock.monotonic() - lookedAt < FRESH_MS) return known
    known = await look()
    lookedAt = clock.monotonic()
    return known
  }
}
