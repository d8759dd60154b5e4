import type { Clock } from '@godwit/base'
import { grantOfToken, principalOfToken } from '../../identity/api-tokens/index.ts'
import { loadAccount, loadUser } from '../../identity/principals/index.ts'
import { isUsable, usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { placeOf, type Access } from '../access/index.ts'
import type { FileLock } from '../file-locks/index.ts'

interface HolderDeps {
  readonly db: Db
  readonly clock: Clock
  readonly access: Access
}

/** Whether whoever took a lock still has the account, the token and the right to write there. */
export function mayHoldLock(deps: HolderDeps) {
  return async (lock: FileLock): Promise<boolean> => {
    const principal = await holderOf(deps, lock)
    if (principal === undefined) return false
    const folder = lock.path.slice(0, lock.path.lastIndexOf('/')) || '/'
    try {
      await deps.access.open({ principal }, placeOf(lock), folder, 'uploadFile')
      return true
    } catch (thrown) {
      // A database that is away takes no right away.
      if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown
      return false
    }
  }
}

async function holderOf(
  { db, clock }: HolderDeps,
  { userId, apiTokenId }: FileLock,
): Promise<AccountPrincipal | undefined> {
  if (apiTokenId !== '') {
    const granted = await grantOfToken({ db, clock }, { id: apiTokenId })
    return granted && principalOfToken(await loadAccount(db, granted.user), granted.row)
  }
  const user = await usersStore.byId(db, userId)
  return user !== undefined && isUsable(user, clock.now()) ? loadUser(db, user, '') : undefined
}
