import {
  storedPermission,
  wirePermission,
  type AdminGroup,
  type AdminGroupChange,
  type AdminGroupMember,
  type GroupMembersChange,
  type NewAdminGroup,
  type PeopleChange,
} from '@godwit/contract'
import { bucketOf, type Quotas } from '../../content/quotas/index.ts'
import { allSpaces } from '../../content/spaces/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import { editConflict } from '../../foundation/operation-log/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { mayIn } from '../../identity/administrators/index.ts'
import {
  addGroup,
  changeGroup,
  groupsSearch,
  groupsStore,
  MEMBER_PERMISSION,
  removeGroup,
  removeMember,
  requireGroup,
  setMember,
  type GroupRow,
} from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { foldCase, type UserRow } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { groupTransfersOf, requireTransfer, setGroupTransfer } from './account-transfer.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'
import { peopleOf } from './people.ts'
import { speedText } from './user-fields.policy.ts'
import { requireOwnFlags } from './user-rights.policy.ts'
import { speedIn } from './users.present.ts'
import { editorOf } from './users.service.ts'
import { setWeight, weightOf, weightsOf, type WeightDeps } from './weights.ts'

export interface ConsoleGroupsDeps extends ConsoleDeps, WeightDeps {
  readonly licence: Pick<Licence, 'requireFeature'>
  readonly settings: Pick<Settings, 'forget'>
  readonly quotas: Pick<Quotas, 'usedIn'>
  readonly bus: Pick<Bus, 'publish'>
}

interface GroupsQuery {
  readonly page: number
  readonly size: number
  readonly text?: string | undefined
  readonly spaceId?: number | undefined
  readonly sort: 'name' | 'created'
  readonly order: 'asc' | 'desc'
}

export async function listConsoleGroups(deps: ConsoleGroupsDeps, ctx: UserCtx, query: GroupsQuery) {
  const { text, ...rest } = query
  const standing = accountOf(ctx.principal).standing
  const isOverall = mayIn(standing, 'groups.view', {})
  const filter = { ...rest, text: foldCase(text ?? ''), ids: isOverall ? undefined : (standing?.groupIds ?? []) }
  const { rows, total } = await groupsSearch.page(deps.db, filter)
  return { rows: await presentGroups(deps, rows), total, page: query.page, size: query.size }
}

/** @throws AppError GROUP_NOT_FOUND, also for a group that the caller administers not */
export async function getConsoleGroup(deps: ConsoleGroupsDeps, ctx: UserCtx, id: number): Promise<AdminGroup> {
  requireIn(ctx, 'groups.view', id)
  return presentGroup(deps, await requireGroup(deps.db, id))
}

/** @throws AppError SPACE_NOT_FOUND, GROUP_NAME_DUPLICATE, PARAMETER_INVALID, TIME_RANGE_INVALID */
export async function addConsoleGroup(
  deps: ConsoleGroupsDeps,
  { ctx, record }: ConsoleCall,
  wanted: NewAdminGroup,
): Promise<AdminGroup> {
  if (!(await allSpaces(deps.db)).some(({ id }) => id === wanted.spaceId)) throw new AppError('SPACE_NOT_FOUND')
  const speedRules = speedText(wanted.speed)
  const group = await inTransaction(deps.db, async (tx) => {
    const added = await addGroup({ ...deps, db: tx }, { ...wanted, speedRules })
    const { weight = null } = wanted
    if (weight !== null) await setWeight(deps, tx, { ctx, target: { groupId: added.id }, weight })
    await record(tx, { kind: 'group', id: added.id, name: added.name, after: { ...wanted, revision: 1 } })
    return added
  })
  if (speedRules !== null) deps.bus.publish('group.speed-changed', { groupId: group.id })
  return presentGroup(deps, group)
}

/** @throws AppError GROUP_NOT_FOUND, GROUP_NAME_DUPLICATE, PARAMETER_INVALID, TIME_RANGE_INVALID, EDIT_CONFLICT */
export async function editConsoleGroup(
  deps: ConsoleGroupsDeps,
  { ctx, record }: ConsoleCall,
  { id, change: { revision, ...change } }: { readonly id: number; readonly change: AdminGroupChange },
): Promise<AdminGroup> {
  const known = await requireGroup(deps.db, id)
  const transferIn = async (db: Db | Tx) => (await groupTransfersOf(db, [id])).get(id)
  if (change.transfer !== undefined) await requireTransfer(deps, change.transfer, await transferIn(deps.db))
  const speedRules = change.speed === undefined ? {} : { speedRules: speedText(change.speed) }
  const isFirst = await inTransaction(deps.db, async (tx) => {
    if (!(await groupsStore.takeRevision(tx, id, revision))) return false
    await changeGroup({ db: tx }, id, { ...change, ...speedRules })
    const weight = await weightOf(tx, { groupId: id })
    const held = {
      ...{ name: known.name, quotaBytes: Number(known.quota_bytes), speed: speedIn(known.speed_rules), weight },
      transfer: await transferIn(tx),
    }
    const before = Object.fromEntries(Object.keys(change).map((field) => [field, held[field as keyof typeof held]]))
    if (change.weight !== undefined) await setWeight(deps, tx, { ctx, target: { groupId: id }, weight: change.weight })
    const { transfer } = change
    if (transfer !== undefined) await setGroupTransfer(deps, tx, { ctx, groupId: id, transfer })
    const states = { before: { ...before, revision }, after: { ...change, revision: revision + 1 } }
    await record(tx, { kind: 'group', id, name: known.name, ...states })
    return true
  })
  const group = await requireGroup(deps.db, id)
  if (!isFirst) throw await editConflict(deps.db, { kind: 'group', id }, { from: revision, present: group.revision })
  if (change.transfer !== undefined) deps.settings.forget()
  if (change.speed !== undefined) deps.bus.publish('group.speed-changed', { groupId: id })
  return presentGroup(deps, group)
}

/** @throws AppError GROUP_NOT_FOUND, GROUP_HAS_USERS */
export async function removeConsoleGroup({ db }: ConsoleDeps, { record }: ConsoleCall, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { name, space_id: spaceId, quota_bytes: quotaBytes } = await removeGroup({ db: tx }, id)
    await record(tx, { kind: 'group', id, name, before: { name, spaceId, quotaBytes: Number(quotaBytes) } })
  })
}

/** @throws AppError GROUP_NOT_FOUND */
export async function listMembers(
  { db }: ConsoleDeps,
  ctx: UserCtx,
  { groupId, page, size, text = '' }: { groupId: number; page: number; size: number; text?: string | undefined },
) {
  requireIn(ctx, 'groups.view', groupId)
  await requireGroup(db, groupId)
  const found = await groupsSearch.members(db, { groupId, text: foldCase(text), page, size })
  const rows = found.rows.map((row): AdminGroupMember => ({
    ...{ id: row.id, account: row.account, name: row.name, email: row.email },
    ...{ permission: wirePermission(row.permission), isAdmin: row.is_admin === 1 },
  }))
  return { rows, total: found.total, page, size }
}

/**
 * Makes accounts members, or changes what they may do; effective with their next step.
 * @throws AppError GROUP_NOT_FOUND, ACCOUNT_NOT_FOUND, NO_SPACE; PERMISSION_DENIED for flags the caller lacks there
 */
export async function setMembers(
  { db, clock, bus }: ConsoleGroupsDeps,
  { ctx, record }: ConsoleCall,
  { groupId, change }: { readonly groupId: number; readonly change: GroupMembersChange },
): Promise<number> {
  requireIn(ctx, 'groups.members', groupId)
  const { permission, isAdmin } = change
  const changed = await inTransaction(db, async (tx) => {
    const group = await requireGroup(tx, groupId)
    const users = await peopleOf(tx, change)
    const editor = await flagsWithin(tx, ctx, group)
    for (const user of users) {
      const key = { groupId, spaceId: group.space_id, userId: user.id }
      const known = await groupsStore.membership(tx, key)
      const flags = permission === undefined ? (known?.permission ?? MEMBER_PERMISSION) : storedPermission(permission)
      requireOwnFlags(editor, flags, known?.permission ?? 0)
      await setMember({ db: tx, clock }, { groupId, user }, { permission: flags, isAdmin })
      const before = known && { permission: known.permission, isAdmin: known.is_admin === 1 }
      const after = { account: user.account, permission: flags, isAdmin: isAdmin ?? known?.is_admin === 1 }
      await record(tx, { kind: 'group', id: groupId, name: group.name, before, after })
    }
    return users
  })
  for (const { id: userId } of changed) bus.publish('user.changed', { userId })
  return changed.length
}

/** @returns how many were members @throws AppError GROUP_NOT_FOUND, ACCOUNT_NOT_FOUND */
export async function removeMembers(
  { db, bus }: ConsoleGroupsDeps,
  { ctx, record }: ConsoleCall,
  { groupId, people }: { readonly groupId: number; readonly people: PeopleChange },
): Promise<number> {
  requireIn(ctx, 'groups.members', groupId)
  const left = await inTransaction(db, async (tx) => {
    const { name } = await requireGroup(tx, groupId)
    const members: UserRow[] = []
    for (const user of await peopleOf(tx, people)) {
      const { wasMember } = await removeMember({ db: tx }, { groupId, userId: user.id })
      if (wasMember) members.push(user)
    }
    const before = { members: members.map(({ account }) => account) }
    if (members.length > 0) await record(tx, { kind: 'group', id: groupId, name, before })
    return members
  })
  for (const { id: userId } of left) bus.publish('user.changed', { userId })
  return left.length
}

/** An administrator of this group alone grants at most what they have in it. */
async function flagsWithin(tx: Tx, ctx: UserCtx, group: GroupRow) {
  const editor = editorOf(ctx)
  if (mayIn(accountOf(ctx.principal).standing, 'groups.members', {})) return editor
  const key = { groupId: group.id, spaceId: group.space_id, userId: editor.id }
  return { ...editor, permission: (await groupsStore.membership(tx, key))?.permission ?? 0 }
}

/** A group that somebody does not administer is as if it were not there. @throws AppError GROUP_NOT_FOUND */
function requireIn(ctx: UserCtx, right: 'groups.view' | 'groups.members', groupId: number): void {
  if (!mayIn(accountOf(ctx.principal).standing, right, { groupId })) throw new AppError('GROUP_NOT_FOUND')
}

async function presentGroup(deps: ConsoleGroupsDeps, group: GroupRow): Promise<AdminGroup> {
  const [row] = await presentGroups(deps, [group])
  if (row === undefined) throw new Error('one group gives one row')
  return row
}

const NO_TRANSFER: AdminGroup['transfer'] = {
  ...{ ignorePatterns: null, ignoreAboveMb: null, skipSameName: null, lockFilters: null, sync: null },
}

/** Rows of the list, with a fixed number of queries however many there are. */
async function presentGroups({ db, quotas }: ConsoleGroupsDeps, groups: readonly GroupRow[]): Promise<AdminGroup[]> {
  const ids = groups.map(({ id }) => id)
  const spaces = new Map((await allSpaces(db)).map(({ id, spaceName }) => [id, spaceName]))
  const counts = await groupsSearch.memberCounts(db, ids)
  const administrators = Map.groupBy(await groupsSearch.administrators(db, ids), ({ groupId }) => groupId)
  const bucket = (groupId: number) => bucketOf({ userId: '', groupId })
  const used = await quotas.usedIn(ids.map(bucket))
  const weights = await weightsOf(db, 'group', ids)
  const transfers = await groupTransfersOf(db, ids)
  return groups.map((group) => ({
    ...{ id: group.id, name: group.name, members: counts.get(group.id) ?? 0 },
    space: { id: group.space_id, name: spaces.get(group.space_id) ?? '' },
    administrators: (administrators.get(group.id) ?? []).map(({ id, account }) => ({ id, account })),
    usedBytes: used.get(bucket(group.id)) ?? 0,
    ...{ quotaBytes: Number(group.quota_bytes), speed: speedIn(group.speed_rules) },
    weight: weights.get(group.id) ?? null,
    transfer: transfers.get(group.id) ?? NO_TRANSFER,
    ...{ createdAt: group.created_at, revision: group.revision },
  }))
}
