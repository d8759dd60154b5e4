import {
  storedPermission,
  wirePermission,
  type AdminSpace,
  type AdminSpaceChange,
  type AdminSpaceMember,
  type AdminSpaceUsage,
  type NewAdminSpace,
  type PeopleChange,
  type SpaceMembersChange,
  type SpaceMemberTransfer,
} from '@godwit/contract'
import { bucketOf, type Quotas } from '../../content/quotas/index.ts'
import {
  addSpace,
  allSpaces,
  editSpace,
  memberTransfer,
  removeSpace,
  setStorages,
  spaceRow,
  spacesStore,
  TRANSFER_RULES,
} from '../../content/spaces/index.ts'
import { editConflict } from '../../foundation/operation-log/index.ts'
import { createSettingsEditor, settingRegistry, type Settings } from '../../foundation/settings/index.ts'
import { listStorages } from '../../foundation/storages/index.ts'
import { mayIn } from '../../identity/administrators/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { membershipsStore, spaceRulesStore, type SpaceRulesTable } from '../../identity/memberships/index.ts'
import { accountOf, personalPermission } from '../../identity/principals/index.ts'
import { foldCase, type UserRow } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import { forgetSpaceMove, moveLock } from '../relocations/index.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'
import { requireAddressList, type AddressListDeps } from './address-lists.ts'
import { requireTransfer, settingsOf, waysFrom } from './account-transfer.ts'
import { peopleOf } from './people.ts'
import { speedText } from './user-fields.policy.ts'
import { requireOwnFlags, type Editor } from './user-rights.policy.ts'
import { speedIn } from './users.present.ts'
import { editorOf } from './users.service.ts'
import { setWeight, weightsOf, type WeightDeps } from './weights.ts'

export interface ConsoleSpacesDeps extends ConsoleDeps, AddressListDeps, WeightDeps {
  /** The data folder. */
  readonly data: string
  readonly bus: Pick<Bus, 'publish'>
  readonly locks: Pick<Locks, 'run'>
  readonly settings: Settings
  readonly quotas: Pick<Quotas, 'usedIn'>
  readonly usageOfSpaces: () => Promise<ReadonlyMap<number, { readonly files: number; readonly bytes: number }>>
}

/** Spaces are few: one page holds them all. */
export async function listSpaces(deps: ConsoleSpacesDeps, ctx: UserCtx): Promise<AdminSpace[]> {
  const { db, data } = deps
  const { standing } = accountOf(ctx.principal)
  const shown = (await allSpaces(db)).filter(({ id }) => mayIn(standing, 'spaces.view', { spaceId: id }))
  const members = await membershipsStore.count(db)
  const administrators = Map.groupBy(await membershipsStore.administrators(db), ({ spaceId }) => spaceId)
  const storages = await listStorages({ db, data })
  const groups = Map.groupBy(await groupsStore.all(db), (group) => group.space_id)
  const revisions = new Map((await spacesStore.all(db)).map(({ id, revision }) => [id, revision]))
  const rules = new Map((await spaceRulesStore.all(db)).map((row) => [row.space_id, row]))
  const ids = shown.map(({ id }) => id)
  const skips = await skipSizes(deps, ids)
  const weights = await weightsOf(db, 'space', ids)
  return shown.map(({ id, spaceName, isDefault }) => ({
    ...{ id, name: spaceName, isDefault, members: members.get(id) ?? 0 },
    ...{ groups: groups.get(id)?.length ?? 0, revision: revisions.get(id) ?? 1, skipAboveMb: skips.get(id) ?? null },
    ...presentRules(rules.get(id)),
    weight: weights.get(id) ?? null,
    administrators: (administrators.get(id) ?? []).map(({ userId, account }) => ({ id: userId, account })),
    storages: storages
      .filter(({ spaceIds }) => spaceIds.includes(id))
      .map((storage) => ({ id: storage.id, name: storage.name, isDefault: storage.defaultOf.includes(id) })),
  }))
}

/** @throws AppError PARAMETER_INVALID, TIME_RANGE_INVALID, SPACE_NAME_DUPLICATE, SPACE_NEEDS_STORAGE, STORAGE_NOT_FOUND */
export async function addConsoleSpace(
  deps: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  { name, storageIds, defaultStorageId, skipAboveMb, weight = null, ...rules }: NewAdminSpace,
): Promise<number> {
  await requireRules(deps, rules)
  const storages = { ids: storageIds, defaultId: defaultStorageId ?? undefined }
  const id = await inTransaction(deps.db, async (tx) => {
    const added = await addSpace({ ...deps, db: tx }, name)
    await setStorages(tx, added.id, storages)
    await setRules(tx, added.id, rules)
    if (weight !== null) await setWeight(deps, tx, { ctx, target: { spaceId: added.id }, weight })
    if (skipAboveMb !== null) await setSkipSize(deps, tx, { ctx, spaceId: added.id, skipAboveMb })
    const chosen = { storageIds, defaultStorageId, skipAboveMb, weight }
    const after = { name: added.spaceName, ...chosen, ...rules, revision: 1 }
    await record(tx, { kind: 'space', id: added.id, name: added.spaceName, after })
    return added.id
  })
  if (skipAboveMb !== null) deps.settings.forget()
  deps.bus.publish('space.rules-changed', { spaceId: id })
  return id
}

/** @throws AppError SPACE_NOT_FOUND, EDIT_CONFLICT and as {@link addConsoleSpace} */
export async function editConsoleSpace(
  deps: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  { id, change: given }: { readonly id: number; readonly change: AdminSpaceChange },
): Promise<void> {
  const { skipAboveMb, weight, storages, revision, name, ...rules } = given
  const change = { revision, ...(name === undefined ? {} : { name }) }
  const known = (await listSpaces(deps, ctx)).find((space) => space.id === id)
  if (known === undefined) throw new AppError('SPACE_NOT_FOUND')
  await requireRules(deps, rules, known)
  const wanted = storages && { ids: storages.storageIds, defaultId: storages.defaultStorageId ?? undefined }
  const isFirst = await editSpace(deps, { id, change: { ...change, storages: wanted } }, async (tx) => {
    await setRules(tx, id, rules)
    if (weight !== undefined) await setWeight(deps, tx, { ctx, target: { spaceId: id }, weight })
    if (skipAboveMb !== undefined) await setSkipSize(deps, tx, { ctx, spaceId: id, skipAboveMb })
    const fields = { ...change, ...storages, ...withoutUndefined({ skipAboveMb, weight }), ...rules }
    const held: Readonly<Record<string, unknown>> = heldBy(known)
    const before = Object.fromEntries(Object.keys(fields).map((name) => [name, held[name]]))
    await record(tx, {
      kind: 'space',
      id,
      name: known.name,
      before,
      after: { ...fields, revision: revision + 1 },
    })
  })
  if (!isFirst) {
    const { revision: present } = await spaceRow(deps.db, id)
    throw await editConflict(deps.db, { kind: 'space', id }, { from: revision, present })
  }
  if (skipAboveMb !== undefined) deps.settings.forget()
  if (Object.keys(rules).length > 0) deps.bus.publish('space.rules-changed', { spaceId: id })
}

function heldBy({ name, storages, skipAboveMb, revision, ...rules }: AdminSpace) {
  const defaultStorageId = storages.find(({ isDefault }) => isDefault)?.id ?? null
  return { name, storageIds: storages.map(({ id }) => id), defaultStorageId, skipAboveMb, ...rules, revision }
}

type SpaceRules = Pick<AdminSpaceChange, 'allowedAddresses' | 'deniedAddresses' | 'speed'>
type PresentedRules = Pick<AdminSpace, 'allowedAddresses' | 'deniedAddresses' | 'speed'>

/** @throws AppError as {@link requireAddressList}, TIME_RANGE_INVALID */
async function requireRules(deps: AddressListDeps, rules: SpaceRules, held?: SpaceRules): Promise<void> {
  for (const field of ['allowedAddresses', 'deniedAddresses'] as const)
    await requireAddressList(deps, { field, list: rules[field] ?? '', held: held?.[field] })
  speedText(rules.speed)
}

async function setRules(tx: Tx, spaceId: number, rules: SpaceRules): Promise<void> {
  if (Object.keys(rules).length === 0) return
  const known = await spaceRulesStore.of(tx, spaceId)
  const { allowedAddresses = known?.allowed_addresses ?? '', deniedAddresses = known?.denied_addresses ?? '' } = rules
  const speed_rules = rules.speed === undefined ? (known?.speed_rules ?? null) : speedText(rules.speed)
  if (allowedAddresses === '' && deniedAddresses === '' && speed_rules === null) {
    await spaceRulesStore.remove(tx, spaceId)
    return
  }
  await spaceRulesStore.put(tx, {
    ...{ space_id: spaceId, speed_rules },
    ...{ allowed_addresses: allowedAddresses, denied_addresses: deniedAddresses },
  })
}

function presentRules(row: SpaceRulesTable | undefined): PresentedRules {
  return {
    allowedAddresses: row?.allowed_addresses ?? '',
    deniedAddresses: row?.denied_addresses ?? '',
    speed: speedIn(row?.speed_rules),
  }
}

/** @throws AppError SPACE_NOT_FOUND, SPACE_DEFAULT_UNDELETABLE, SPACE_HAS_GROUPS, SPACE_MOVE_UNDER_WAY */
export async function removeConsoleSpace(deps: ConsoleSpacesDeps, { record }: ConsoleCall, id: number): Promise<void> {
  const remove = () =>
    removeSpace(deps, id, async (tx, { name }) => {
      await forgetSpaceMove(tx, deps.clock, id)
      await record(tx, { kind: 'space', id, name, before: { name } })
    })
  const members = await deps.locks.run(moveLock(id), remove)
  for (const userId of members) deps.bus.publish('user.changed', { userId })
}

/** The sizes above which spaces leave files out, by space. */
async function skipSizes(
  { settings }: ConsoleSpacesDeps,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const site = await settings.of(TRANSFER_RULES)
  const found = new Map<number, number>()
  for (const spaceId of ids) {
    const { transIgnoreSizeSwitch: isOn, transIgnoreSize: size } = await settings.of(TRANSFER_RULES, { spaceId })
    const isOwn = isOn !== site.transIgnoreSizeSwitch || size !== site.transIgnoreSize
    if (isOn === 1 && isOwn) found.set(spaceId, size)
  }
  return found
}

async function setSkipSize(
  { dialect, clock, ids }: ConsoleSpacesDeps,
  tx: Tx,
  {
    ctx,
    spaceId,
    skipAboveMb,
  }: { readonly ctx: UserCtx; readonly spaceId: number; readonly skipAboveMb: number | null },
): Promise<void> {
  const editor = createSettingsEditor({ db: tx, dialect, clock, ids, registry: settingRegistry([TRANSFER_RULES]) })
  const changes = [
    { key: 'transIgnoreSizeSwitch', value: skipAboveMb === null ? null : 1 },
    { key: 'transIgnoreSize', value: skipAboveMb },
  ]
  const by = { kind: 'account', id: ctx.principal.id, isAdmin: true } as const
  await editor.setAll(changes, { target: { spaceId }, by, door: 'http' })
}

/** @throws AppError SPACE_NOT_FOUND */
export async function listSpaceMembers(
  { db }: ConsoleDeps,
  ctx: UserCtx,
  { spaceId, page, size, text = '' }: { spaceId: number; page: number; size: number; text?: string | undefined },
) {
  await requireSpace(db, ctx, { spaceId, right: 'spaces.view' })
  const found = await membershipsStore.page(db, { spaceId, text: foldCase(text), page, size })
  const rows = found.rows.map(({ is_admin: isAdmin, permission, transfer, ...row }): AdminSpaceMember => ({
    ...{ ...row, isAdmin: isAdmin === 1 },
    permission: permission === null ? null : wirePermission(permission),
    transfer: waysFrom(new Map(Object.entries(memberTransfer(transfer)))),
  }))
  return { rows, total: found.total, page, size }
}

/**
 * Makes accounts members, or changes what they are; effective with their next step.
 * @throws AppError SPACE_NOT_FOUND, ACCOUNT_NOT_FOUND, PARAMETER_INVALID, EDITION_FEATURE_MISSING; PERMISSION_DENIED for flags the caller lacks
 */
export async function setSpaceMembers(
  deps: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  { spaceId, change }: { readonly spaceId: number; readonly change: SpaceMembersChange },
): Promise<number> {
  const { db, bus } = deps
  const name = await requireSpace(db, ctx, { spaceId, right: 'spaces.members' })
  if (change.transfer !== undefined) await requireTransfer(deps, change.transfer)
  const joined = await inTransaction(db, async (tx) => {
    const users = await peopleOf(tx, change)
    const { isAdmin, permission, transfer } = change
    for (const user of users) await join(tx, editorIn(ctx, spaceId), { user, spaceId, change })
    const after = {
      members: users.map(({ account }) => account),
      ...withoutUndefined({ isAdmin, permission, transfer }),
    }
    await record(tx, { kind: 'space', id: spaceId, name, after })
    return users
  })
  for (const { id: userId } of joined) bus.publish('user.changed', { userId })
  return joined.length
}

/** An administrator of this space alone grants at most what they have in it. */
function editorIn(ctx: UserCtx, spaceId: number): Editor {
  const account = accountOf(ctx.principal)
  if (mayIn(account.standing, 'spaces.members', {})) return editorOf(ctx)
  return { ...editorOf(ctx), permission: personalPermission(account, spaceId) }
}

interface Joining {
  readonly user: UserRow
  readonly spaceId: number
  readonly change: Pick<SpaceMembersChange, 'isAdmin' | 'permission' | 'transfer'>
}

async function join(tx: Tx, editor: Editor, { user, spaceId, change }: Joining): Promise<void> {
  const { isAdmin, permission, transfer } = change
  const key = { userId: user.id, spaceId }
  const known = await membershipsStore.of(tx, user.id, spaceId)
  const own = permission === undefined ? (known?.permission ?? null) : storedOrNull(permission)
  // Without a permission of its own a membership is worth what the account may do everywhere, so that is what is granted.
  requireOwnFlags(editor, own ?? user.permission, known === undefined ? 0 : (known.permission ?? user.permission))
  if (known === undefined) await membershipsStore.add(tx, user.id, spaceId)
  if (isAdmin !== undefined) await membershipsStore.setAdmin(tx, key, isAdmin)
  await membershipsStore.change(tx, key, {
    ...(permission === undefined ? {} : { permission: own }),
    ...(transfer === undefined ? {} : { transfer: transferText(transfer) }),
  })
}

function storedOrNull(permission: number | null): number | null {
  return permission === null ? null : storedPermission(permission)
}

function transferText(transfer: SpaceMemberTransfer): string | null {
  const own = Object.entries(settingsOf(transfer)).filter(([, value]) => value !== null)
  return own.length === 0 ? null : JSON.stringify(Object.fromEntries(own))
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** @returns how many were members @throws AppError SPACE_NOT_FOUND, ACCOUNT_NOT_FOUND */
export async function removeSpaceMembers(
  { db, bus }: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  { spaceId, people }: { readonly spaceId: number; readonly people: PeopleChange },
): Promise<number> {
  const name = await requireSpace(db, ctx, { spaceId, right: 'spaces.members' })
  const left = await inTransaction(db, async (tx) => {
    const gone: UserRow[] = []
    for (const user of await peopleOf(tx, people))
      if (await membershipsStore.remove(tx, user.id, spaceId)) gone.push(user)
    const before = { members: gone.map(({ account }) => account) }
    if (gone.length > 0) await record(tx, { kind: 'space', id: spaceId, name, before })
    return gone
  })
  for (const { id: userId } of left) bus.publish('user.changed', { userId })
  return left.length
}

/** What is in the spaces that somebody sees. */
export async function spacesUsage(deps: ConsoleSpacesDeps, ctx: UserCtx): Promise<AdminSpaceUsage[]> {
  const { db, quotas, usageOfSpaces } = deps
  const { standing } = accountOf(ctx.principal)
  const shown = (await allSpaces(db)).filter(({ id }) => mayIn(standing, 'spaces.view', { spaceId: id }))
  const counted = await usageOfSpaces()
  const groups = await groupsStore.all(db)
  const bucket = (groupId: number) => bucketOf({ userId: '', groupId })
  const used = await quotas.usedIn(groups.map(({ id }) => bucket(id)))
  return shown.map(({ id: spaceId }) => {
    const own = groups.filter((group) => group.space_id === spaceId)
    const groupBytes = own.reduce((sum, group) => sum + (used.get(bucket(group.id)) ?? 0), 0)
    return { spaceId, ...(counted.get(spaceId) ?? { files: 0, bytes: 0 }), groupBytes }
  })
}

/** A space that somebody does not administer is as if it were not there. @returns its name @throws AppError SPACE_NOT_FOUND */
async function requireSpace(
  db: Db,
  ctx: UserCtx,
  { spaceId, right }: { readonly spaceId: number; readonly right: 'spaces.view' | 'spaces.members' },
): Promise<string> {
  const space = (await allSpaces(db)).find(({ id }) => id === spaceId)
  const isAllowed = mayIn(accountOf(ctx.principal).standing, right, { spaceId })
  if (space === undefined || !isAllowed) throw new AppError('SPACE_NOT_FOUND')
  return space.spaceName
}
