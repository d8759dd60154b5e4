import { grantOfToken, principalOfToken } from '../../identity/api-tokens/index.ts'
import { admittedFrom, loadAccount, loadUser, sessionIdOf } from '../../identity/principals/index.ts'
import { isUsable, usersStore } from '../../identity/users/index.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { TransferRow } from './transfers.schema.ts'
import type { TransfersDeps } from './transfers.deps.ts'

type IdentityDeps = Pick<TransfersDeps, 'db' | 'clock'>
type Bound = Pick<TransferRow, 'user_id' | 'session_id' | 'api_token_id' | 'stamp'>

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

async function ownerOf(deps: IdentityDeps, row: Bound): Promise<AccountPrincipal | undefined> {
  if (row.api_token_id !== '') {
    const granted = await grantOfToken(deps, { id: row.api_token_id })
    return granted && principalOfToken(await loadAccount(deps.db, granted.user), granted.row)
  }
  const user = await usersStore.byId(deps.db, row.user_id)
  if (!user || !isUsable(user, deps.clock.now()) || hashToken(user.password_hash) !== row.stamp) return undefined
  return loadUser(deps.db, user, row.session_id)
}
