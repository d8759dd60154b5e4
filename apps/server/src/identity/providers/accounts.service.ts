import { ACCOUNT_TYPE, LIMITS, type AccountType } from '@godwit/contract'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { departmentsStore } from '../departments/index.ts'
import { groupsStore, MEMBER_PERMISSION } from '../groups/index.ts'
import { membershipsStore } from '../memberships/index.ts'
import { provisionedStore, type ScimAccountRow } from '../provisioning/index.ts'
import {
  foldCase,
  plainHomeOf,
  requireUserRoom,
  rowOfNewUser,
  usersStore,
  type UserRow,
  type UsersDeps,
} from '../users/index.ts'
import { externalStore, type ComparedUser } from './external.store.ts'
import { accountOfPerson, fieldsOf, type Known, type Placed, type Present, type Step } from './people.policy.ts'
import type { Person } from './provider.types.ts'
import type { ExternalAccountRow } from './providers.schema.ts'

export type AccountsDeps = Pick<UsersDeps, 'db' | 'clock' | 'ids' | 'bus' | 'userLimit'>

/** Where accounts come from, and what new ones may do. */
export interface Origin {
  readonly providerId: number
  readonly accountType: AccountType
  /** Stored form. */
  readonly permission: number
}

type Source = Pick<Origin, 'providerId' | 'accountType'>

/** Everything that a directory is compared with. */
export async function everythingPresent(db: Db, { providerId, accountType }: Source): Promise<Present> {
  const users = await externalStore.users(db)
  const linked = new Set((await externalStore.linked(db)).map(({ user_id: userId }) => userId))
  const links = await externalStore.ofProvider(db, providerId)
  const members = Map.groupBy(await externalStore.memberships(db), ({ user_id: userId }) => userId)
  const announced = await provisionedStore.userNames(db)
  return present(db, { users, linked, links, members, announced, accountType })
}

/** What concerns one person alone. */
export async function presentFor(db: Db | Tx, { providerId, accountType }: Source, person: Person): Promise<Present> {
  const link = await externalStore.byKey(db, providerId, person.key)
  const known = link && (await usersStore.byId(db, link.user_id))
  const account = known?.account ?? accountOfPerson(person) ?? ''
  const { email = '' } = fieldsOf(person, account)
  const named = await externalStore.usersNamed(db, [foldCase(account), foldCase(email)])
  const announced = await provisionedStore.byUserName(db, foldCase(person.login))
  const awaited = announced && (await usersStore.byId(db, announced.user_id))
  const users = [...new Map([...named, known, awaited].flatMap((user) => (user ? [[user.id, user]] : []))).values()]
  const linked = new Set<string>()
  for (const { id } of users) if ((await externalStore.ofUser(db, id)) !== undefined) linked.add(id)
  const rows = known === undefined ? [] : await externalStore.membershipsOf(db, known.id)
  const members = new Map(known === undefined ? [] : [[known.id, rows]])
  const links = link === undefined ? [] : [link]
  return present(db, { users, linked, links, members, announced: announced ? [announced] : [], accountType })
}

interface Rows {
  /** Of the accounts of this provider. */
  readonly accountType: AccountType
  readonly users: readonly ComparedUser[]
  /** Accounts that belong to any provider. */
  readonly linked: ReadonlySet<string>
  readonly links: readonly ExternalAccountRow[]
  readonly members: ReadonlyMap<string, ReadonlyArray<{ readonly group_id: number }>>
  readonly announced: ReadonlyArray<Pick<ScimAccountRow, 'user_id' | 'user_name_key'>>
}

async function present(db: Db | Tx, { users, linked, links, members, announced, accountType }: Rows): Promise<Present> {
  const byId = new Map(users.map((user) => [user.id, user]))
  const known = new Map<string, Known>()
  for (const link of links) {
    const user = byId.get(link.user_id)
    if (user !== undefined) known.set(link.external_key, knownOf(user, link, members))
  }
  const departments = await departmentsStore.all(db)
  return {
    known,
    accounts: new Map(
      users.map((user) => [user.account_key, { userId: user.id, isAdoptable: isAdoptable(user, linked, accountType) }]),
    ),
    announced: new Map(
      announced.flatMap(({ user_id: userId, user_name_key: key }) => {
        const user = byId.get(userId)
        if (user === undefined) return []
        return [[key, { userId, account: user.account, isAdoptable: isAdoptable(user, linked, accountType) }]]
      }),
    ),
    emails: new Map(users.flatMap(({ id, email_key: key }) => (key === null ? [] : [[key, id]]))),
    departments: new Map(departments.flatMap((row) => (row.parent_id === 0 ? [[row.name_key, row.id]] : []))),
    groups: new Map((await groupsStore.all(db)).map((group) => [group.id, group.space_id])),
    departmentIds: new Set(departments.map(({ id }) => id)),
  }
}

function knownOf(user: ComparedUser, link: ExternalAccountRow, members: Rows['members']): Known {
  return {
    ...{ userId: user.id, account: user.account, login: link.login },
    ...{ name: user.name, email: user.email, phone: user.phone, departmentId: user.department_id },
    isLocked: user.locked === 1,
    isLockedBySync: link.locked_by_sync === 1,
    groupIds: (members.get(user.id) ?? []).map(({ group_id: id }) => id),
  }
}

/**
 * An account that is linked to no provider: one of this kind whose own was removed, or one that an identity management made for
 * whoever signs in first. Administrators are never taken over.
 */
function isAdoptable(user: ComparedUser, linked: ReadonlySet<string>, accountType: AccountType): boolean {
  const isForeign = [accountType, ACCOUNT_TYPE.scim].includes(user.account_type as AccountType) && !linked.has(user.id)
  return isForeign && user.is_super === 0 && user.is_admin === 0
}

/** What an origin's steps write into, prepared once. */
interface Writing {
  readonly origin: Origin
  readonly groups: ReadonlyMap<number, number>
}

/**
 * Does steps of a plan in one transaction; those that change nothing here are passed over. Whom it locks loses sessions at once.
 * @returns how many accounts were written
 */
export async function applySteps(deps: AccountsDeps, steps: readonly Step[], writing: Writing): Promise<number> {
  const wanted = steps.filter((step) => step.change !== 'skip')
  try {
    await inTransaction(deps.db, (tx) => writeAll(deps, tx, wanted, writing))
  } catch (thrown) {
    // Somebody took a name meanwhile, such as a person who signed in for the first time: the others go through one by one.
    if (!isDuplicate(thrown) || wanted.length < 2) throw thrown
    return applyEach(deps, wanted, writing)
  }
  for (const step of wanted) announce(deps, step)
  return wanted.length
}

async function applyEach(deps: AccountsDeps, steps: readonly Step[], writing: Writing): Promise<number> {
  let written = 0
  for (const step of steps) {
    try {
      written += await applySteps(deps, [step], writing)
    } catch (thrown) {
      if (!isDuplicate(thrown)) throw thrown
    }
  }
  return written
}

function announce({ bus }: AccountsDeps, step: Step): void {
  if (step.change === 'lock') bus.publish('user.revoked', { userId: step.userId, reason: 'locked' })
  if (step.change === 'change' || step.change === 'unlock') bus.publish('user.changed', { userId: step.userId })
}

async function writeAll(deps: AccountsDeps, tx: Tx, steps: readonly Step[], writing: Writing): Promise<void> {
  const departments = await departmentsFor(deps, tx, steps)
  const added = steps.filter((step) => step.change === 'add')
  await addAll(deps, tx, added, { ...writing, departments })
  for (const step of steps) {
    if (step.change === 'change' || step.change === 'unlock') await changeOne(tx, step, { ...writing, departments })
  }
  const locked = steps.flatMap((step) => (step.change === 'lock' ? [step.userId] : []))
  if (locked.length === 0) return
  await externalStore.markLocked(tx, locked)
  await usersStore.updateMany(tx, locked, { locked: 1 })
}

type WithDepartments = Writing & { readonly departments: ReadonlyMap<string, number> }

/** Departments that people are in and that do not exist yet. @returns their numbers by folded name */
async function departmentsFor(
  { clock }: AccountsDeps,
  tx: Tx,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, number>> {
  const names = steps.flatMap((step) =>
    'department' in step && typeof step.department === 'string' ? [step.department] : [],
  )
  const found = new Map<string, number>()
  if (names.length === 0) return found
  for (const row of await departmentsStore.all(tx)) if (row.parent_id === 0) found.set(row.name_key, row.id)
  for (const name of names) {
    const name_key = foldCase(name)
    if (found.has(name_key)) continue
    const row = { name, name_key, parent_id: 0, source: 'ldap' as const, revision: 1, created_at: clock.now() }
    found.set(name_key, await departmentsStore.insert(tx, row))
  }
  return found
}

function departmentId(
  department: Placed['department'],
  departments: WithDepartments['departments'],
): number | null | undefined {
  return typeof department === 'string' ? (departments.get(foldCase(department)) ?? null) : department
}

async function addAll(deps: AccountsDeps, tx: Tx, steps: readonly Placed[], writing: WithDepartments): Promise<void> {
  const { origin, departments } = writing
  const retired = await externalStore.retiredHomes(
    tx,
    steps.map(({ account }) => plainHomeOf(account)),
  )
  const users = steps.map(({ account, fields, department }): UserRow => {
    const wanted = {
      ...{ account, email: fields.email ?? '', phone: fields.phone ?? '', name: fields.name ?? account },
      ...{ type: origin.accountType, permission: origin.permission },
      departmentId: departmentId(department, departments) ?? null,
    }
    return rowOfNewUser(deps, wanted, retired.has(plainHomeOf(account)))
  })
  await requireUserRoom(tx, deps.userLimit?.() ?? null, users.length)
  await externalStore.insertUsers(tx, users, LIMITS.defaultSpaceId)
  const idOf = new Map(users.map(({ account, id }) => [account, id]))
  const links = steps.map((step) => linkOf(idOf.get(step.account) ?? '', step, origin))
  await externalStore.insertLinks(tx, links)
  for (const step of steps) await join(tx, idOf.get(step.account) ?? '', step.joins, writing)
}

function linkOf(userId: string, { person }: Placed, { providerId }: Origin): ExternalAccountRow {
  const { key, login } = person
  return { user_id: userId, provider_id: providerId, external_key: key, login, locked_by_sync: 0 }
}

async function changeOne(
  tx: Tx,
  step: Extract<Step, { readonly change: 'change' | 'unlock' }>,
  writing: WithDepartments,
): Promise<void> {
  const { userId, fields, department } = step
  const isAdopted = step.what.includes('source')
  const placed = departmentId(department, writing.departments)
  // An administrator may have taken the lock over since the step was planned.
  const isUnlocked = step.change === 'unlock' && (await externalStore.takeLock(tx, userId))
  await usersStore.updateMany(tx, [userId], {
    ...(fields.name === undefined ? {} : { name: fields.name }),
    ...(fields.email === undefined ? {} : emailColumns(fields.email)),
    ...(fields.phone === undefined ? {} : { phone: fields.phone }),
    ...(placed === undefined ? {} : { department_id: placed }),
    ...(isUnlocked ? { locked: 0 } : {}),
    ...(isAdopted ? { password_hash: '', account_type: writing.origin.accountType } : {}),
  })
  if (isAdopted) await externalStore.insertLinks(tx, [linkOf(userId, step, writing.origin)])
  else await externalStore.changeLink(tx, userId, { login: step.person.login })
  await join(tx, userId, step.joins, writing)
  await externalStore.leave(tx, userId, step.leaves)
}

function emailColumns(email: string): Pick<UserRow, 'email' | 'email_key'> {
  return { email, email_key: email === '' ? null : foldCase(email) }
}

/** A group takes members of its space only, so whoever joins comes into the space too. */
async function join(tx: Tx, userId: string, groupIds: readonly number[], { groups }: Writing): Promise<void> {
  if (groupIds.length === 0) return
  const spaces = new Set((await membershipsStore.ofUser(tx, userId)).map(({ space_id: spaceId }) => spaceId))
  for (const groupId of groupIds) {
    const spaceId = groups.get(groupId)
    if (spaceId === undefined) continue
    if (!spaces.has(spaceId)) await membershipsStore.add(tx, userId, spaceId)
    spaces.add(spaceId)
    const rights = { permission: MEMBER_PERMISSION, is_admin: 0 }
    await externalStore.join(tx, [{ group_id: groupId, user_id: userId, ...rights }])
  }
}
