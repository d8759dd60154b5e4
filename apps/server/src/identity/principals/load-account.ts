import type { Clock } from '@godwit/base'
import type { Db } from '../../kernel/db/index.ts'
import type { JobPrincipal, UserPrincipal } from '../../kernel/principal.ts'
import { loadStanding } from '../administrators/index.ts'
import { mountsStore, type MountRow } from '../mounts/index.ts'
import { membershipsStore } from '../memberships/index.ts'
import { isUsable, usersStore, type UserRow } from '../users/index.ts'
import type { Account, MountOfAccount } from './accounts.ts'

/** The account as the database has it now. */
export async function loadAccount(db: Db, user: UserRow): Promise<Account> {
  const memberships = await membershipsStore.standings(db, user.id)
  const mounts = await mountsStore.ofUser(db, user.id)
  const own = memberships.filter(({ permission }) => permission !== null)
  const bound = memberships.filter((row) => (row.allowed_addresses ?? '') !== '' || (row.denied_addresses ?? '') !== '')
  return {
    account: user.account,
    isAdmin: user.is_admin === 1,
    permission: user.permission,
    home: user.home,
    quotaBytes: user.quota_bytes,
    spaceIds: memberships.map(({ spaceId }) => spaceId),
    ...(own.length === 0
      ? {}
      : { memberPermissions: Object.fromEntries(own.map((row) => [row.spaceId, row.permission ?? 0])) }),
    ...(bound.length === 0 ? {} : { spaceAddresses: bound.map(addressesOf) }),
    ...(mounts.length === 0 ? {} : { mounts: mounts.map(mountOf) }),
    ...(user.file_rules === null ? {} : { fileRules: user.file_rules }),
    ...(user.speed_rules === null ? {} : { speedRules: user.speed_rules }),
    ...(user.login_addresses === '' ? {} : { loginAddresses: user.login_addresses }),
  }
}

function mountOf({ id, space_id: spaceId, alias, path, permission }: MountRow): MountOfAccount {
  return { id, spaceId, alias, path, permission }
}

function addressesOf(row: { spaceId: number; allowed_addresses: string | null; denied_addresses: string | null }) {
  return { spaceId: row.spaceId, allowed: row.allowed_addresses ?? '', denied: row.denied_addresses ?? '' }
}

/** @param sessionId '' for a grant or ticket that no session made */
export async function loadUser(db: Db, user: UserRow, sessionId: string): Promise<UserPrincipal> {
  const account = await loadAccount(db, user)
  const standing = sessionId === '' ? undefined : await loadStanding(db, user)
  return { kind: 'user', id: user.id, sessionId, account: standing === undefined ? account : { ...account, standing } }
}

/**
 * A job with the rights its owner has now.
 * @returns undefined when the owner is locked or removed
 */
export async function loadJobPrincipal(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> },
  job: { readonly id: string; readonly ownerId: string },
): Promise<JobPrincipal | undefined> {
  const user = await usersStore.byId(db, job.ownerId)
  if (user === undefined || !isUsable(user, clock.now())) return undefined
  return { kind: 'job', id: user.id, jobId: job.id, account: await loadAccount(db, user) }
}
