import { LIMITS } from '@godwit/contract'
import { appendOperations, type Actor, type ChangedThing } from '../../foundation/operation-log/index.ts'
import {
  addGroup,
  changeGroup,
  groupsSearch,
  groupsStore,
  removeGroup,
  removeMember,
  requireGroup,
} from '../../identity/groups/index.ts'
import { setMember, type GroupRow } from '../../identity/groups/index.ts'
import { membershipsStore } from '../../identity/memberships/index.ts'
import {
  provisionedSearch,
  provisionedStore,
  type Condition,
  type GroupField,
  type ScimGroupRow,
} from '../../identity/provisioning/index.ts'
import { usersSearch, type UserRow } from '../../identity/users/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { invalid } from './accounts.policy.ts'
import { administratorsAmong, requireNoAdministrator } from './administrators.ts'
import type { ProvisioningDeps } from './provisioning.types.ts'

/** A group with all that the other side is shown of it. */
export interface ProvisionedGroup {
  readonly group: GroupRow
  /** Undefined for one that the other side has not touched. */
  readonly link: ScimGroupRow | undefined
  readonly members: ReadonlyArray<{ readonly id: string; readonly account: string; readonly name: string }>
}

/** What is to be another way; what is left out stays. */
export interface WantedGroup {
  readonly displayName?: string | undefined
  readonly externalId?: string | undefined
  /** In their order. */
  readonly members: readonly MembersStep[]
}

export interface MembersStep {
  readonly step: 'add' | 'remove' | 'set'
  /** Accounts. */
  readonly ids: readonly string[]
}

interface Listed {
  readonly offset: number
  readonly limit: number
  /** Members of big groups are many: whoever needs none saves the look-up. */
  readonly withMembers: boolean
}

export async function searchGroups(
  db: Db,
  condition: Condition<GroupField> | undefined,
  { offset, limit, withMembers }: Listed,
) {
  const { ids, total } = await provisionedSearch.groups(db, condition, { offset, limit })
  return { groups: await groupsById(db, ids, withMembers), total }
}

/** @throws AppError GROUP_NOT_FOUND */
export async function getGroup(db: Db, id: number, withMembers: boolean): Promise<ProvisionedGroup> {
  const [group] = await groupsById(db, [id], withMembers)
  if (group === undefined) throw new AppError('GROUP_NOT_FOUND')
  return group
}

async function groupsById(db: Db, ids: readonly number[], withMembers: boolean): Promise<ProvisionedGroup[]> {
  const groups = await groupsSearch.byIds(db, ids)
  const links = await provisionedStore.ofGroups(db, ids)
  const members = Map.groupBy(await provisionedStore.membersOf(db, withMembers ? ids : []), ({ groupId }) => groupId)
  return groups
    .toSorted((a, b) => a.id - b.id)
    .map((group) => ({ group, link: links.get(group.id), members: members.get(group.id) ?? [] }))
}

/**
 * Makes a group in the first space.
 * @throws AppError SCIM_VALUE_INVALID, GROUP_NAME_DUPLICATE, PERMISSION_DENIED for a member who is an administrator
 */
export async function addProvisionedGroup(deps: ProvisioningDeps, actor: Actor, wanted: WantedGroup): Promise<number> {
  const { displayName = '', externalId = '', members } = wanted
  const { id, joined } = await inTransaction(deps.db, async (tx) => {
    const added = await named(() =>
      addGroup({ ...deps, db: tx }, { name: displayName, spaceId: LIMITS.defaultSpaceId, quotaBytes: 0 }),
    )
    await provisionedStore.putGroup(tx, linkOf(deps, added.id, externalId))
    const moved = await moveMembers(deps, tx, added, members)
    const after = { name: added.name, members: accountsOf(moved.joined), revision: 1 }
    await log(deps, tx, { actor, operation: 'group.add', thing: { ...thingOf(added), after } })
    return { id: added.id, ...moved }
  })
  publish(deps, joined)
  return id
}

/**
 * Changes a group and who is in it. What is so already changes nothing and leaves no trace.
 * @param revision undefined: whichever it has
 * @throws AppError GROUP_NOT_FOUND, EDIT_CONFLICT, and as {@link addProvisionedGroup}
 */
export async function changeProvisionedGroup(
  deps: ProvisioningDeps,
  actor: Actor,
  {
    id,
    revision,
    wanted,
  }: { readonly id: number; readonly revision: number | undefined; readonly wanted: WantedGroup },
): Promise<void> {
  const moved = await inTransaction(deps.db, async (tx) => {
    const group = await requireGroup(tx, id)
    if (revision !== undefined && group.revision !== revision) throw new AppError('EDIT_CONFLICT')
    const link = (await provisionedStore.ofGroups(tx, [id])).get(id)
    const { displayName = group.name, externalId = link?.external_id ?? '' } = wanted
    const isRenamed = displayName !== group.name
    if (isRenamed) await named(() => changeGroup({ db: tx }, id, { name: displayName }))
    const { joined, left } = await moveMembers(deps, tx, group, wanted.members)
    const isRelinked = externalId !== (link?.external_id ?? '')
    if (!isRenamed && !isRelinked && joined.length + left.length === 0) return []
    await provisionedStore.putGroup(tx, linkOf(deps, id, externalId))
    if (!(await groupsStore.takeRevision(tx, id, group.revision))) throw new AppError('EDIT_CONFLICT')
    const before = {
      ...(isRenamed ? { name: group.name } : {}),
      ...(left.length > 0 ? { members: accountsOf(left) } : {}),
    }
    const now = {
      ...(isRenamed ? { name: displayName } : {}),
      ...(joined.length > 0 ? { members: accountsOf(joined) } : {}),
    }
    const after = { ...now, revision: group.revision + 1 }
    await log(deps, tx, { actor, operation: 'group.edit', thing: { ...thingOf(group), before, after } })
    return [...joined, ...left]
  })
  publish(deps, moved)
}

/**
 * Ends the memberships of a group and removes it; its files stay on the storage.
 * @throws AppError GROUP_NOT_FOUND, EDIT_CONFLICT, PERMISSION_DENIED when a member is an administrator
 */
export async function deleteProvisionedGroup(
  deps: ProvisioningDeps,
  actor: Actor,
  { id, revision }: { readonly id: number; readonly revision: number | undefined },
): Promise<void> {
  const left = await inTransaction(deps.db, async (tx) => {
    const group = await requireGroup(tx, id)
    if (revision !== undefined && group.revision !== revision) throw new AppError('EDIT_CONFLICT')
    const ids = (await groupsStore.rightsOf(tx, id)).map(({ user_id: userId }) => userId)
    const moved = await moveMembers(deps, tx, group, [{ step: 'remove', ids }])
    await removeGroup({ db: tx }, id)
    const before = { name: group.name, spaceId: group.space_id, members: accountsOf(moved.left) }
    await log(deps, tx, { actor, operation: 'group.remove', thing: { ...thingOf(group), before } })
    return moved.left
  })
  publish(deps, left)
}

/** Ids that a statement may hold, on SQLite. */
const IDS_PER_STATEMENT = 1000

/**
 * Whoever joins comes into the space of the group, too. Administrators neither join nor leave this way: a list without one that is
 * in the group leaves that one in it.
 */
async function moveMembers(deps: ProvisioningDeps, tx: Tx, group: GroupRow, steps: readonly MembersStep[]) {
  const known = new Set((await groupsStore.rightsOf(tx, group.id)).map(({ user_id: userId }) => userId))
  const wanted = new Set(known)
  for (const { step, ids } of steps) {
    if (step === 'set') {
      wanted.clear()
      for (const id of await administratorsAmong(tx, [...known])) wanted.add(id)
    }
    for (const id of ids)
      if (step === 'remove') wanted.delete(id)
      else wanted.add(id)
  }
  const joined = await usersOf(tx, [...wanted.difference(known)])
  const left = await usersOf(tx, [...known.difference(wanted)])
  await requireNoAdministrator(
    tx,
    [...joined, ...left].map(({ id }) => id),
  )
  for (const user of joined) {
    const spaces = await membershipsStore.ofUser(tx, user.id)
    const isInside = spaces.some(({ space_id: spaceId }) => spaceId === group.space_id)
    if (!isInside) await membershipsStore.add(tx, user.id, group.space_id)
    await setMember({ db: tx, clock: deps.clock }, { groupId: group.id, user }, {})
  }
  for (const { id: userId } of left) await removeMember({ db: tx }, { groupId: group.id, userId })
  return { joined, left }
}

/** @throws AppError SCIM_VALUE_INVALID for somebody who does not exist */
async function usersOf(tx: Tx, ids: readonly string[]): Promise<UserRow[]> {
  const users: UserRow[] = []
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT)
    users.push(...(await usersSearch.byIds(tx, ids.slice(at, at + IDS_PER_STATEMENT))))
  if (users.length < ids.length) throw invalid('members.value')
  return users
}

function linkOf({ clock }: ProvisioningDeps, groupId: number, externalId: string): ScimGroupRow {
  return { group_id: groupId, external_id: externalId, changed_at: clock.now() }
}

function thingOf({ id, name }: GroupRow) {
  return { kind: 'group', id, name }
}

function accountsOf(users: readonly UserRow[]): string[] {
  return users.map(({ account }) => account)
}

interface Logged {
  readonly actor: Actor
  readonly operation: string
  readonly thing: ChangedThing
}

function log(deps: ProvisioningDeps, tx: Tx, { actor, operation, thing }: Logged): Promise<void> {
  return appendOperations(deps, tx, { actor, operation, things: [thing] })
}

function publish({ users: { bus } }: ProvisioningDeps, users: readonly UserRow[]): void {
  for (const { id: userId } of users) bus.publish('user.changed', { userId })
}

/** A name that no group can have is a value that is not accepted. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PARAMETER_INVALID') throw invalid('displayName')
    throw thrown
  }
}
