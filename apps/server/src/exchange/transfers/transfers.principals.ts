import { grantOfToken, principalOfToken } from '../../identity/api-tokens/index.ts'
import { admittedFrom, loadAccount, loadUser, sessionIdOf } from '../../identity/principals/index.ts'
import { isUsable, usersStore } from '../../identity/users/index.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Bound, TransferRow } from './transfers.schema.ts'
import type { TransfersDeps } from './transfers.deps.ts'

type IdentityDeps = Pick<TransfersDeps, 'db' | 'clock'>

/** What binds a ticket to the account as it is now. */
export async function boundTo({ db }: IdentityDeps, principal: AccountPrincipal): Promise<Bound> {
  const user = await usersStore.byId(db, principal.id)
  if (user === undefined) throw new AppError('TOKEN_INVALID')
  return {
    user_id: user.id,
    session_id: sessionIdOf(principal),
    api_token_id: principal.kind === 'api-token' ? principal.apiTokenId : '',
    stamp: hashToken(user.password_hash),
  }
}

/**
 * Who acts in a transfer, with the rights of now. It outlives the session that asked for it, as an upload does.
 * @returns undefined when the account was locked or removed or changed its password, or the API token was revoked
 */
export async function principalOf(
  deps: IdentityDeps,
  row: Bound & Partial<Pick<TransferRow, 'address'>>,
): Promise<AccountPrincipal | undefined> {
  const principal = await ownerOf(deps, row)
  return principal !== undefined && row.address ? admittedFrom(principal, row.address) : principal
}

/**
 * What binds a transfer that another session, token or device of the account goes on with. All of them hold the same ticket, so it
 * never allows more than each of them may do: where the new one may do more, the transfer stays bound to the one before.
 * @throws AppError TICKET_INVALID when what it is bound to counts no longer, and when each may do what the other may not
 */
export async function boundAnew(deps: IdentityDeps, row: Bound, principal: AccountPrincipal): Promise<Bound> {
  const before = await ownerOf(deps, row)
  if (before === undefined) throw new AppError('TICKET_INVALID')
  const [capBefore, cap] = [before.account.cap, principal.account.cap]
  if (isWithin(cap, capBefore)) return boundTo(deps, principal)
  if (!isWithin(capBefore, cap)) throw new AppError('TICKET_INVALID')
  return row
}

/** @param outer undefined: everything that the account may do */
function isWithin(inner: number | undefined, outer: number | undefined): boolean {
  return outer === undefined || (inner !== undefined && (inner & ~outer) === 0)
}

async function ownerOf(deps: IdentityDeps, row: Bound): Promise<AccountPrincipal | undefined> {
  if (row.api_token_id !== '') {
    const granted = await grantOfToken(deps, { id: row.api_token_id })
    return granted && principalOfToken(await loadAccount(deps.db, granted.user), granted.row)
  }
  const user = await usersStore.byId(deps.db, row.user_id)
  if (!user || !isUsable(user, deps.clock.now()) || hashToken(user.password_hash) !== row.stamp) return undefined
  return loadUser(deps.db, user, row.session_id)
}
