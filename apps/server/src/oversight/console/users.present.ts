import type { Clock } from '@godwit/base'
import {
  wirePermission,
  type AccountSpeed,
  type AccountType,
  type AdminUser,
  type AdminUserDetail,
  type FileRules,
} from '@godwit/contract'
import type { Quotas } from '../../content/quotas/index.ts'
import { spacesOf } from '../../content/spaces/index.ts'
import { administratorsStore } from '../../identity/administrators/index.ts'
import { departmentsStore } from '../../identity/departments/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { externalStore } from '../../identity/providers/index.ts'
import { invitationsStore, usersSearch, type InvitationRow, type UserRow } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { transferOf } from './account-transfer.ts'
import { weightOf } from './weights.ts'

export interface PresentDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly quotas: Pick<Quotas, 'usedIn' | 'defaultBytes'>
}

/** Rows of the list, with a fixed number of queries however many there are. */
export async function presentUsers(
  { db, clock, quotas }: PresentDeps,
  users: readonly UserRow[],
  seenSince: number,
): Promise<AdminUser[]> {
  const ids = users.map(({ id }) => id)
  const groups = Map.groupBy(await groupsStore.namesOf(db, ids), ({ userId }) => userId)
  const departmentIds = new Set(users.flatMap(({ department_id: id }) => (id === null ? [] : [id])))
  const departments = await departmentsStore.names(db, [...departmentIds])
  const used = await quotas.usedIn(ids)
  const online = await usersSearch.online(db, ids, seenSince)
  const administrators = await administratorsStore.among(db, ids)
  const sources = await externalStore.sourcesOf(db, ids)
  const invitations = await invitationsStore.among(db, ids)
  return users.map((user) => ({
    ...plainFields(user),
    groups: (groups.get(user.id) ?? []).map(({ id, name }) => ({ id, name })),
    department: departmentOf(user, departments),
    usedBytes: used.get(user.id) ?? 0,
    quotaBytes: user.quota_bytes ?? quotas.defaultBytes,
    online: online.has(user.id),
    standing: standingOf(user, administrators),
    source: sources.get(user.id) ?? null,
    invitation: invitationOf(invitations.get(user.id), clock.now()),
  }))
}

const NO_RULES: FileRules = {
  forbiddenPaths: [],
  allowedPaths: [],
  uploadNewOnly: false,
  deniedTypes: [],
  allowedTypes: [],
}

const NO_SPEED: AccountSpeed = { uploadMbps: 0, downloadMbps: 0, periods: [] }

/** Limits as they are stored for an account, a group or a space. */
export function speedIn(rules: string | null | undefined): AccountSpeed {
  return { ...NO_SPEED, ...(JSON.parse(rules ?? '{}') as Partial<AccountSpeed>) }
}

function numberOf(value: number | null): number | null {
  return value === null ? null : Number(value)
}

/** Everything about one account. */
export async function presentUser(deps: PresentDeps, user: UserRow, seenSince: number): Promise<AdminUserDetail> {
  const [summary] = await presentUsers(deps, [user], seenSince)
  if (summary === undefined) throw new Error('one account gives one row')
  const { spaces } = await spacesOf(deps.db, user.id)
  return {
    ...summary,
    permission: wirePermission(user.permission),
    ownQuotaBytes: user.quota_bytes,
    mustReset: user.must_reset === 1,
    rules: { ...NO_RULES, ...(JSON.parse(user.file_rules ?? '{}') as Partial<FileRules>) },
    transfer: await transferOf(deps.db, user.id),
    speed: speedIn(user.speed_rules),
    weight: await weightOf(deps.db, { userId: user.id }),
    loginAddresses: user.login_addresses,
    ...{ validFrom: numberOf(user.valid_from), validUntil: numberOf(user.valid_until) },
    home: user.home,
    spaces: spaces.map(({ id, spaceName: name }) => ({ id, name })),
  }
}

function invitationOf(row: InvitationRow | undefined, now: number): AdminUser['invitation'] {
  if (row === undefined) return null
  return Number(row.expires_at) > now ? 'open' : 'over'
}

/** @param administrators those by role */
export function standingOf(user: UserRow, administrators: ReadonlySet<string>): AdminUser['standing'] {
  if (user.is_super === 1) return 'super'
  return administrators.has(user.id) ? 'role' : 'user'
}

function plainFields(user: UserRow) {
  return {
    ...{ id: user.id, account: user.account, name: user.name, email: user.email, phone: user.phone },
    type: user.account_type as AccountType,
    locked: user.locked === 1,
    createdAt: user.created_at,
    lastSignInAt: user.last_sign_in_at,
    revision: user.revision,
  }
}

function departmentOf({ department_id: id }: UserRow, names: ReadonlyMap<number, string>): AdminUser['department'] {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { id, name }
}
