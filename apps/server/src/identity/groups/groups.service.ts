import type { Clock } from '@godwit/base'
import { FULL_PERMISSION, GROUP_NAME_MAX, hasGroupFiles, PERMISSION, storedPermission } from '@godwit/contract'
import type { AccountType } from '@godwit/contract'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { membershipsStore } from '../memberships/index.ts'
import type { UserRow } from '../users/index.ts'
import type { GroupRow } from './groups.schema.ts'
import { groupsStore, memberCounts } from './groups.store.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    readonly 'group.member-added': {
      readonly userId: string
      readonly groupId: number
      readonly groupName: string
      readonly at: number
    }
  }
}

export interface GroupsDeps {
  readonly db: Db
  readonly clock: Clock
}

/** What a new member may do unless told otherwise: everything but copy and move. */
export const MEMBER_PERMISSION = FULL_PERMISSION & ~(PERMISSION.copy | PERMISSION.move)

export interface NewGroup {
  readonly name: string
  /** An existing space. */
  readonly spaceId: number
  /** 0: no limit. */
  readonly quotaBytes: number
  /** As it is stored; null or left out: no limit. */
  readonly speedRules?: string | null
}

/** @throws AppError PARAMETER_INVALID, GROUP_NAME_DUPLICATE */
export async function addGroup(
  { db, clock }: GroupsDeps,
  { name, spaceId, quotaBytes, speedRules = null }: NewGroup,
): Promise<GroupRow> {
  const row = {
    ...namesOf(name),
    space_id: spaceId,
    quota_bytes: quotaBytes,
    speed_rules: speedRules,
    created_at: clock.now(),
  }
  return withUniqueName(async () => ({ ...row, id: await groupsStore.insert(db, row), revision: 1 }))
}

export interface GroupChange {
  readonly name?: string | undefined
  readonly quotaBytes?: number | undefined
  readonly speedRules?: string | null | undefined
}

/** Renames a group, or changes its quota or its limits; files stay where they are. @throws AppError GROUP_NOT_FOUND, PARAMETER_INVALID, GROUP_NAME_DUPLICATE */
export async function changeGroup(
  { db }: Pick<GroupsDeps, 'db'>,
  id: number,
  { name, quotaBytes, speedRules }: GroupChange,
): Promise<GroupRow> {
  const group = await requireGroup(db, id)
  const change = {
    ...(name === undefined ? {} : namesOf(name)),
    ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
    ...(speedRules === undefined ? {} : { speed_rules: speedRules }),
  }
  if (Object.keys(change).length > 0) await withUniqueName(() => groupsStore.change(db, id, change))
  return { ...group, ...change }
}

/** Removes a group without members; its files stay on the storage. @throws AppError GROUP_NOT_FOUND, GROUP_HAS_USERS */
export async function removeGroup({ db }: Pick<GroupsDeps, 'db'>, id: number): Promise<GroupRow> {
  return inTransaction(db, async (tx) => {
    const group = await requireGroup(tx, id)
    if (await groupsStore.hasMembers(tx, id)) throw new AppError('GROUP_HAS_USERS')
    await groupsStore.remove(tx, id)
    return group
  })
}

export interface MemberRights {
  /** Permission bits; what members have now, or the default of new ones, when left out. */
  readonly permission?: number | undefined
  readonly isAdmin?: boolean | undefined
}

/**
 * Makes an account a member, or changes what a member may do. A new member gets a notice.
 * @throws AppError GROUP_NOT_FOUND; NO_SPACE for an account outside of the group's space; PERMISSION_DENIED for a Linux account
 */
export async function setMember(
  { db, clock }: GroupsDeps,
  { groupId, user }: { readonly groupId: number; readonly user: UserRow },
  rights: MemberRights,
): Promise<GroupRow> {
  return inTransaction(db, async (tx) => {
    const group = await requireGroup(tx, groupId)
    await requireJoinable(tx, user, group)
    const key = { groupId, spaceId: group.space_id, userId: user.id }
    const known = await groupsStore.membership(tx, key)
    const { permission = known?.permission ?? MEMBER_PERMISSION, isAdmin = known?.is_admin === 1 } = rights
    const row = {
      ...{ group_id: groupId, user_id: user.id },
      ...{ permission: storedPermission(permission), is_admin: isAdmin ? 1 : 0 },
    }
    if (await groupsStore.changeMember(tx, row)) return group
    await groupsStore.addMember(tx, row)
    const event = { userId: user.id, groupId, groupName: group.name, at: clock.now() }
    await recordEvent({ tx, clock }, 'group.member-added', event)
    return group
  })
}

async function requireJoinable(tx: Tx, user: UserRow, group: GroupRow): Promise<void> {
  if (!hasGroupFiles(user.account_type as AccountType))
    throw new AppError('PERMISSION_DENIED', { reason: 'linux-account' })
  const spaces = await membershipsStore.ofUser(tx, user.id)
  if (!spaces.some(({ space_id: spaceId }) => spaceId === group.space_id)) throw new AppError('NO_SPACE')
}

/** Ends a membership: the next step of everything that stood on it is refused. @throws AppError GROUP_NOT_FOUND */
export async function removeMember(
  { db }: Pick<GroupsDeps, 'db'>,
  { groupId, userId }: { readonly groupId: number; readonly userId: string },
): Promise<{ readonly group: GroupRow; readonly wasMember: boolean }> {
  const group = await requireGroup(db, groupId)
  return { group, wasMember: await groupsStore.removeMember(db, { groupId, userId }) }
}

export async function listGroups({ db }: Pick<GroupsDeps, 'db'>) {
  const counts = await memberCounts(db)
  return (await groupsStore.all(db)).map((group) => ({ ...group, members: counts.get(group.id) ?? 0 }))
}

/** @throws AppError GROUP_NOT_FOUND */
export async function requireGroup(db: Db | Tx, id: number): Promise<GroupRow> {
  const group = await groupsStore.byId(db, id)
  if (group === undefined) throw new AppError('GROUP_NOT_FOUND')
  return group
}

const NAME_KEY_MAX = 255

/** @throws AppError PARAMETER_INVALID */
function namesOf(wanted: string): Pick<GroupRow, 'name' | 'name_key'> {
  const name = wanted.normalize('NFC').trim()
  const name_key = name.normalize('NFKC').toLowerCase()
  const isLine = name !== '' && !/[\p{Cc}\p{Cs}]/u.test(name)
  // A ligature may become many letters, more than the column takes.
  if (!isLine || [...name].length > GROUP_NAME_MAX || name_key.length > NAME_KEY_MAX) {
    throw new AppError('PARAMETER_INVALID', { field: 'name', rule: `1 to ${GROUP_NAME_MAX} characters of one line` })
  }
  return { name, name_key }
}

/** The unique key decides. @throws AppError GROUP_NAME_DUPLICATE */
async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('GROUP_NAME_DUPLICATE', undefined, { cause: thrown })
    throw thrown
  }
}
