import type { AdminSpace, AdminSpaceChange, AdminSpaceMember, NewAdminSpace, PeopleChange } from '@godwit/contract'
import {
  addSpace,
  allSpaces,
  editSpace,
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
import { membershipsStore } from '../../identity/memberships/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { foldCase, type UserRow } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'
import { peopleOf } from './people.ts'

export interface ConsoleSpacesDeps extends ConsoleDeps {
  /** The data folder. */
  readonly data: string
  readonly bus: Pick<Bus, 'publish'>
  readonly settings: Settings
  readonly ids: Ids
  readonly dialect: DialectName
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
  const skips = await skipSizes(
    deps,
    shown.map(({ id }) => id),
  )
  return shown.map(({ id, spaceName, isDefault }) => ({
    ...{ id, name: spaceName, isDefault, members: members.get(id) ?? 0 },
    ...{ groups: groups.get(id)?.length ?? 0, revision: revisions.get(id) ?? 1, skipAboveMb: skips.get(id) ?? null },
    administrators: (administrators.get(id) ?? []).map(({ userId, account }) => ({ id: userId, account })),
    storages: storages
      .filter(({ spaceIds }) => spaceIds.includes(id))
      .map((storage) => ({ id: storage.id, name: storage.name, isDefault: storage.defaultOf.includes(id) })),
  }))
}

/** @throws AppError PARAMETER_INVALID, SPACE_NAME_DUPLICATE, SPACE_NEEDS_STORAGE, STORAGE_NOT_FOUND */
export async function addConsoleSpace(
  deps: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  { name, storageIds, defaultStorageId, skipAboveMb }: NewAdminSpace,
): Promise<number> {
  const storages = { ids: storageIds, defaultId: defaultStorageId ?? undefined }
  const id = await inTransaction(deps.db, async (tx) => {
    const added = await addSpace({ ...deps, db: tx }, name)
    await setStorages(tx, added.id, storages)
    const after = { name: added.spaceName, storageIds, defaultStorageId, skipAboveMb, revision: 1 }
    await record(tx, { kind: 'space', id: added.id, name: added.spaceName, after })
    return added.id
  })
  if (skipAboveMb !== null) await setSkipSize(deps, ctx, { spaceId: id, skipAboveMb })
  return id
}

/** @throws AppError SPACE_NOT_FOUND, EDIT_CONFLICT and as {@link addConsoleSpace} */
export async function editConsoleSpace(
  deps: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  { id, change: { skipAboveMb, storages, ...change } }: { readonly id: number; readonly change: AdminSpaceChange },
): Promise<void> {
  const known = (await listSpaces(deps, ctx)).find((space) => space.id === id)
  if (known === undefined) throw new AppError('SPACE_NOT_FOUND')
  const wanted = storages && { ids: storages.storageIds, defaultId: storages.defaultStorageId ?? undefined }
  const isFirst = await editSpace(deps, { id, change: { ...change, storages: wanted } }, (tx) => {
    const fields = { ...change, ...storages, ...(skipAboveMb === undefined ? {} : { skipAboveMb }) }
    const held: Readonly<Record<string, unknown>> = heldBy(known)
    const before = Object.fromEntries(Object.keys(fields).map((name) => [name, held[name]]))
    return record(tx, {
      kind: 'space',
      id,
      name: known.name,
      before,
      after: { ...fields, revision: change.revision + 1 },
    })
  })
  if (!isFirst) {
    const { revision: present } = await spaceRow(deps.db, id)
    throw await editConflict(deps.db, { kind: 'space', id }, { from: change.revision, present })
  }
  if (skipAboveMb !== undefined) await setSkipSize(deps, ctx, { spaceId: id, skipAboveMb })
}

function heldBy({ name, storages, skipAboveMb, revision }: AdminSpace) {
  const defaultStorageId = storages.find(({ isDefault }) => isDefault)?.id ?? null
  return { name, storageIds: storages.map(({ id }) => id), defaultStorageId, skipAboveMb, revision }
}

/** @throws AppError SPACE_NOT_FOUND, SPACE_DEFAULT_UNDELETABLE, SPACE_HAS_GROUPS */
export async function removeConsoleSpace(deps: ConsoleSpacesDeps, { record }: ConsoleCall, id: number): Promise<void> {
  const members = await removeSpace(deps, id, (tx, { name }) =>
    record(tx, { kind: 'space', id, name, before: { name } }),
  )
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
  { db, dialect, clock, ids, settings }: ConsoleSpacesDeps,
  { principal }: UserCtx,
  { spaceId, skipAboveMb }: { readonly spaceId: number; readonly skipAboveMb: number | null },
): Promise<void> {
  const editor = createSettingsEditor({ db, dialect, clock, ids, registry: settingRegistry([TRANSFER_RULES]) })
  const changes = [
    { key: 'transIgnoreSizeSwitch', value: skipAboveMb === null ? null : 1 },
    { key: 'transIgnoreSize', value: skipAboveMb },
  ]
  const by = { kind: 'account', id: principal.id, isAdmin: true } as const
  await editor.setAll(changes, { target: { spaceId }, by, door: 'http' })
  settings.forget()
}

/** @throws AppError SPACE_NOT_FOUND */
export async function listSpaceMembers(
  { db }: ConsoleDeps,
  ctx: UserCtx,
  { spaceId, page, size, text = '' }: { spaceId: number; page: number; size: number; text?: string | undefined },
) {
  await requireSpace(db, ctx, { spaceId, right: 'spaces.view' })
  const found = await membershipsStore.page(db, { spaceId, text: foldCase(text), page, size })
  const rows = found.rows.map(({ is_admin: isAdmin, ...row }): AdminSpaceMember => ({ ...row, isAdmin: isAdmin === 1 }))
  return { rows, total: found.total, page, size }
}

/** @throws AppError SPACE_NOT_FOUND, ACCOUNT_NOT_FOUND */
export async function setSpaceMembers(
  { db, bus }: ConsoleSpacesDeps,
  { ctx, record }: ConsoleCall,
  {
    spaceId,
    people,
    isAdmin,
  }: { readonly spaceId: number; readonly people: PeopleChange; readonly isAdmin?: boolean | undefined },
): Promise<number> {
  const name = await requireSpace(db, ctx, { spaceId, right: 'spaces.members' })
  const joined = await inTransaction(db, async (tx) => {
    const users = await peopleOf(tx, people)
    for (const { id: userId } of users) await join(tx, { userId, spaceId, isAdmin })
    const after = { members: users.map(({ account }) => account), ...(isAdmin === undefined ? {} : { isAdmin }) }
    await record(tx, { kind: 'space', id: spaceId, name, after })
    return users
  })
  for (const { id: userId } of joined) bus.publish('user.changed', { userId })
  return joined.length
}

async function join(
  tx: Tx,
  { userId, spaceId, isAdmin }: { userId: string; spaceId: number; isAdmin?: boolean | undefined },
) {
  const known = (await membershipsStore.ofUser(tx, userId)).some((row) => row.space_id === spaceId)
  if (!known) await membershipsStore.add(tx, userId, spaceId)
  if (isAdmin !== undefined) await membershipsStore.setAdmin(tx, { userId, spaceId }, isAdmin)
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
