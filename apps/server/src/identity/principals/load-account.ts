import type { Db } from '../../kernel/db/index.ts'
import type { JobPrincipal, UserPrincipal } from '../../kernel/principal.ts'
import { membershipsStore } from '../memberships/index.ts'
import { usersStore, type UserRow } from '../users/index.ts'
import type { Account } from './accounts.ts'

/** The account as the database has it now. */
export async function loadAccount(db: Db, user: UserRow): Promise<Account> {
  const memberships = await membershipsStore.ofUser(db, user.id)
  return {
    account: user.account,
    isAdmin: user.is_admin === 1,
    permission: user.permission,
    home: user.home,
    quotaBytes: user.quota_bytes,
    spaceIds: memberships.map(({ space_id: spaceId }) => spaceId),
  }
}

/** @param sessionId '' for a grant or ticket that no session made */
export async function loadUser(db: Db, user: UserRow, sessionId: string): Promise<UserPrincipal> {
  return { kind: 'user', id: user.id, sessionId, account: await loadAccount(db, user) }
}

/**
 * A job with the rights its owner has now.
 * @returns undefined when the owner is locked or removed
 */
export async function loadJobPrincipal(
  db: Db,
  job: { readonly id: string; readonly ownerId: string },
): Promise<JobPrincipal | undefined> {
  const user = await usersStore.byId(db, job.ownerId)
  if (user === undefined || user.locked === 1) return undefined
  return { kind: 'job', id: user.id, jobId: job.id, account: await loadAccount(db, user) }
}
