import { ACCOUNT_TYPE, LIMITS } from '@godwit/contract'
import { BY_SYSTEM, removeAccount } from '../../content/removals/index.ts'
import { appendOperations, type Actor } from '../../foundation/operation-log/index.ts'
import { invite, inviteLater, inviteWaiting, readdressInvitation } from '../../identity/auth/index.ts'
import { departmentsStore } from '../../identity/departments/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { externalStore } from '../../identity/providers/index.ts'
import {
  provisionedSearch,
  provisionedStore,
  type AccountField,
  type Condition,
  type ScimAccountRow,
} from '../../identity/provisioning/index.ts'
import {
  createUser,
  foldCase,
  plainHomeOf,
  requireCreatable,
  requireUserRoom,
  rowOfNewUser,
  usersSearch,
  usersStore,
  type UserRow,
} from '../../identity/users/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  accountOfUserName,
  changedColumns,
  invalid,
  isSameLink,
  linkOf,
  lockOf,
  requireFields,
  type Fields,
  type WantedAccount,
} from './accounts.policy.ts'
import { requireNoAdministrator } from './administrators.ts'
import { connectionRow } from './connection.service.ts'
import type { ProvisioningDeps } from './provisioning.types.ts'

/** An account with all that the other side is shown of it. */
export interface ProvisionedAccount {
  readonly user: UserRow
  /** Undefined for one that the other side has not touched. */
  readonly link: ScimAccountRow | undefined
  /** '' without one. */
  readonly department: string
  readonly groups: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

interface Window {
  readonly offset: number
  readonly limit: number
}

export async function searchAccounts(db: Db, condition: Condition<AccountField> | undefined, window: Window) {
  const { ids, total } = await provisionedSearch.accounts(db, condition, window)
  return { accounts: await accountsById(db, ids), total }
}

/** @throws AppError ACCOUNT_NOT_FOUND */
export async function getAccount(db: Db, id: string): Promise<ProvisionedAccount> {
  const [account] = await accountsById(db, [id])
  if (account === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return account
}

/** With a fixed number of queries however many there are. */
async function accountsById(db: Db, ids: readonly string[]): Promise<ProvisionedAccount[]> {
  const users = await usersSearch.byIds(db, ids)
  const links = await provisionedStore.ofUsers(db, ids)
  const groups = Map.groupBy(await groupsStore.namesOf(db, ids), ({ userId }) => userId)
  const departmentIds = new Set(users.flatMap(({ department_id: id }) => (id === null ? [] : [id])))
  const departments = await departmentsStore.names(db, [...departmentIds])
  return users.map((user) => ({
    ...{ user, link: links.get(user.id), groups: groups.get(user.id) ?? [] },
    department: departments.get(user.department_id ?? 0) ?? '',
  }))
}

/**
 * Makes an account that is opened by no password of this server, or one whose owner is invited to choose one.
 * @throws AppError SCIM_VALUE_INVALID, ACCOUNT_EXISTS, EMAIL_EXISTS, EDITION_USER_LIMIT, SYSTEM_MAIL_NOT_CONFIGURED
 */
export async function addAccount(deps: ProvisioningDeps, actor: Actor, wanted: WantedAccount): Promise<string> {
  const account = accountOfUserName(wanted.userName)
  const fields = requireFields(wanted, account)
  const { new_accounts: kind, permission } = await connectionRow(deps.db)
  const isInvited = kind === 'invitation' && wanted.isActive
  if (isInvited && fields.email === '') throw invalid('emails.value')
  if (isInvited) await deps.auth.mailer.requireConfigured()
  return withUniqueNames(() =>
    inTransaction(deps.db, async (tx) => {
      await requireFreeUserName(tx, wanted.userName, '')
      const columns = {
        ...{ account, name: fields.name, email: fields.email, phone: fields.phone, permission },
        departmentId: await departmentIdOf(deps, tx, { name: fields.department, known: null }),
      }
      const { id } =
        kind === 'invitation' ? await createUser(deps.users, columns, tx) : await addBare(deps, tx, columns)
      const { locked, locked_by_scim } = lockOf({ locked: 0, locked_by_scim: 0 }, wanted.isActive)
      if (locked === 1) await usersStore.update(tx, id, { locked })
      await provisionedStore.putAccount(tx, linkOf(id, wanted, { locked_by_scim, now: deps.clock.now() }))
      if (isInvited) await invite(deps.auth, tx, { id, ...columns }, 'en-US')
      else if (kind === 'invitation') await inviteLater(deps.auth, tx, id)
      const after = { ...columns, userName: wanted.userName, locked: locked === 1, revision: 1 }
      await appendOperations(deps, tx, {
        actor,
        operation: 'user.add',
        things: [{ kind: 'user', id, name: account, after }],
      })
      return id
    }),
  )
}

interface NewColumns extends Omit<Fields, 'department'> {
  readonly account: string
  readonly permission: number
  readonly departmentId: number | null
}

/** An account that waits for its owner to sign in at a provider. */
async function addBare({ users }: ProvisioningDeps, tx: Tx, columns: NewColumns): Promise<UserRow> {
  const wanted = { ...columns, type: ACCOUNT_TYPE.scim }
  await requireCreatable(users, wanted, tx)
  await requireUserRoom(tx, users.userLimit?.() ?? null, 1)
  const row = rowOfNewUser(users, wanted, await usersStore.isRetiredHome(tx, plainHomeOf(columns.account)))
  await externalStore.insertUsers(tx, [row], LIMITS.defaultSpaceId)
  return row
}

/**
 * Makes an account what the other side wants it to be. What is so already changes nothing and leaves no trace.
 * @throws AppError ACCOUNT_NOT_FOUND, EDIT_CONFLICT unless it has this revision, PERMISSION_DENIED for an administrator, and as
 * {@link addAccount}
 */
export async function changeAccount(
  deps: ProvisioningDeps,
  actor: Actor,
  { id, revision, wanted }: { readonly id: string; readonly revision: number; readonly wanted: WantedAccount },
): Promise<void> {
  const change = await withUniqueNames(() =>
    inTransaction(deps.db, async (tx) => {
      const user = await requireUser(tx, id)
      if (user.revision !== revision) throw new AppError('EDIT_CONFLICT')
      const step = await stepOf(deps, tx, user, wanted)
      if (step === undefined) return undefined
      await requireNoAdministrator(tx, [id])
      if (!(await usersStore.updateAt(tx, id, revision, step.columns))) throw new AppError('EDIT_CONFLICT')
      await provisionedStore.putAccount(tx, step.link)
      if (step.columns.email !== undefined)
        await readdressInvitation(deps.auth, tx, { ...user, ...step.columns }, 'en-US')
      if (step.columns.locked === 0) await inviteWaiting(deps.auth, tx, { ...user, ...step.columns }, 'en-US')
      await appendOperations(deps, tx, { actor, ...operationOf(user, step) })
      return step
    }),
  )
  if (change === undefined) return
  if (change.columns.locked === 1) deps.users.bus.publish('user.revoked', { userId: id, reason: 'locked' })
  else deps.users.bus.publish('user.changed', { userId: id })
}

interface AccountStep {
  readonly columns: Partial<UserRow>
  readonly link: ScimAccountRow
  readonly known: ScimAccountRow
}

/** @returns undefined when the account is so already */
async function stepOf(
  deps: ProvisioningDeps,
  tx: Tx,
  user: UserRow,
  wanted: WantedAccount,
): Promise<AccountStep | undefined> {
  const fields = requireFields(wanted, user.account)
  const now = deps.clock.now()
  const known = (await provisionedStore.ofUsers(tx, [user.id])).get(user.id) ?? unlinked(user)
  await requireFreeUserName(tx, wanted.userName, user.id)
  const holder = fields.email === '' ? undefined : await usersStore.byAccountOrEmail(tx, foldCase(fields.email))
  if (holder !== undefined && holder.id !== user.id) throw new AppError('EMAIL_EXISTS')
  const lock = lockOf({ locked: user.locked, locked_by_scim: known.locked_by_scim }, wanted.isActive)
  const link = linkOf(user.id, wanted, { locked_by_scim: lock.locked_by_scim, now })
  const departmentId = await departmentIdOf(deps, tx, { name: fields.department, known: user.department_id })
  const columns = changedColumns(user, fields, { departmentId, locked: lock.locked })
  return Object.keys(columns).length === 0 && isSameLink(known, link) ? undefined : { columns, link, known }
}

/** What is known of an account that the other side has not touched. */
function unlinked({ id, account }: UserRow): ScimAccountRow {
  const nothing = { external_id: '', given_name: '', family_name: '', locked_by_scim: 0, changed_at: 0 }
  return { user_id: id, user_name: account, user_name_key: foldCase(account), ...nothing }
}

function operationOf(user: UserRow, { columns, link, known }: AccountStep) {
  const { email_key: _key, ...shown } = columns
  const held: Readonly<Record<string, unknown>> = { ...user }
  const before = Object.fromEntries(Object.keys(shown).map((column) => [column, held[column]]))
  const names = link.user_name === known.user_name ? {} : { userName: link.user_name }
  const operation = columns.locked === undefined ? 'user.edit' : columns.locked === 1 ? 'user.lock' : 'user.unlock'
  const after = { ...shown, ...names, revision: user.revision + 1 }
  return { operation, things: [{ kind: 'user', id: user.id, name: user.account, before, after }] }
}

/**
 * Removes an account; its files stay where they are, as an administrator finds them among the removed accounts.
 * @throws AppError ACCOUNT_NOT_FOUND, EDIT_CONFLICT, PERMISSION_DENIED for an administrator
 */
export async function deleteAccount(
  deps: ProvisioningDeps,
  actor: Actor,
  { id, revision }: { readonly id: string; readonly revision: number | undefined },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const user = await requireUser(tx, id)
    if (revision !== undefined && user.revision !== revision) throw new AppError('EDIT_CONFLICT')
    await requireNoAdministrator(tx, [id])
    await removeAccount(deps, tx, user, { ...BY_SYSTEM, files: 'keep', by: { id: '', account: actor.account } })
    const before = { account: user.account, email: user.email, home: user.home }
    const thing = { kind: 'user', id, name: user.account, before, after: { files: 'keep' } }
    await appendOperations(deps, tx, { actor, operation: 'user.remove', things: [thing] })
  })
  deps.users.bus.publish('user.revoked', { userId: id, reason: 'removed' })
}

async function requireUser(tx: Tx, id: string): Promise<UserRow> {
  const user = await usersStore.byId(tx, id)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}

/** @throws AppError ACCOUNT_EXISTS when somebody else has the name, there or here */
async function requireFreeUserName(tx: Tx, userName: string, userId: string): Promise<void> {
  const key = foldCase(userName)
  const linked = await provisionedStore.byUserName(tx, key)
  if (linked !== undefined && linked.user_id !== userId) throw new AppError('ACCOUNT_EXISTS')
  const named = await usersStore.byAccountOrEmail(tx, key)
  if (named?.account_key !== key || named.id === userId) return
  if (!(await provisionedStore.ofUsers(tx, [named.id])).has(named.id)) throw new AppError('ACCOUNT_EXISTS')
}

/** The department of this name at the root, made when there is none; the one that the account is in when it is called so. */
async function departmentIdOf(
  { clock }: ProvisioningDeps,
  tx: Tx,
  { name, known }: { readonly name: string; readonly known: number | null },
): Promise<number | null> {
  if (name === '') return null
  const name_key = foldCase(name)
  const fitting = (await departmentsStore.all(tx)).filter((row) => row.name_key === name_key)
  const found = fitting.find(({ id }) => id === known) ?? fitting.find(({ parent_id: parentId }) => parentId === 0)
  const row = { name, name_key, parent_id: 0, source: 'scim' as const, revision: 1, created_at: clock.now() }
  return found?.id ?? departmentsStore.insert(tx, row)
}

/**
 * The unique keys decide between two at once. The second one looks again: what the first one made may be the department of both,
 * and where it is the name it is refused as such.
 */
async function withUniqueNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!isDuplicate(thrown)) throw thrown
  }
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('ACCOUNT_EXISTS', undefined, { cause: thrown })
    throw thrown
  }
}
