import {
  decodePassword,
  isPhone,
  storedPermission,
  type AdminUserChange,
  type AdminUserDetail,
  type NewAdminUser,
} from '@godwit/contract'
import { editConflict, type ChangedThing } from '../../foundation/operation-log/index.ts'
import { administratorsStore } from '../../identity/administrators/index.ts'
import { invite, readdressInvitation, type InvitationDeps, type Sessions } from '../../identity/auth/index.ts'
import { departmentsStore } from '../../identity/departments/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import {
  coversAddress,
  createUser,
  foldCase,
  invitationsStore,
  localeByWire,
  preferencesStore,
  requireCreatable,
  requireEmail,
  requirePassword,
  usersSearch,
  usersStore,
  type NewUser,
  type UserFilter,
  type UserPage,
  type UserRow,
  type UsersDeps,
} from '../../identity/users/index.ts'
import { hashPassword } from '../../kernel/crypto/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { requireTransfer, setTransfer, transferOf, type AccountTransferDeps } from './account-transfer.ts'
import type { ConsoleCall } from './console.types.ts'
import { requireAddressList, type AddressListDeps } from './address-lists.ts'
import { requirePeriod, rulesText, speedText } from './user-fields.policy.ts'
import { requireEditable, requireLasting, requireOwnFlags, type Editor } from './user-rights.policy.ts'
import { presentUser, presentUsers, standingOf, type PresentDeps } from './users.present.ts'
import { setWeight, weightOf } from './weights.ts'

export interface ConsoleUsersDeps extends PresentDeps, AddressListDeps {
  readonly users: UsersDeps
  readonly auth: InvitationDeps
  readonly sessions: Pick<Sessions, 'endAllOf' | 'listOf' | 'end'>
  /** Without activity for so long, nobody is online. */
  readonly idleMs: number
  readonly transfer: AccountTransferDeps
}

export function editorOf({ principal }: Pick<UserCtx, 'principal'>): Editor {
  const { permission, standing } = accountOf(principal)
  return { id: principal.id, permission, isSuper: standing?.kind === 'super' }
}

export async function listUsers(deps: ConsoleUsersDeps, filter: UserFilter, page: Omit<UserPage, 'seenSince'>) {
  const seenSince = seenSinceOf(deps)
  const { rows, total } = await usersSearch.page(deps.db, filter, { ...page, seenSince })
  return { rows: await presentUsers(deps, rows, seenSince), total, page: page.page, size: page.size }
}

/** @throws AppError ACCOUNT_NOT_FOUND */
export async function getUser(deps: ConsoleUsersDeps, id: string): Promise<AdminUserDetail> {
  return presentUser(deps, await requireUser(deps.db, id), seenSinceOf(deps))
}

/** @throws AppError ACCOUNT_INVALID, ACCOUNT_EXISTS, and those of a field */
export async function addUser(
  deps: ConsoleUsersDeps,
  { ctx, record }: ConsoleCall,
  wanted: NewAdminUser,
): Promise<AdminUserDetail> {
  const fields = await newFields(deps, ctx, wanted)
  if (fields.password === undefined) await deps.auth.mailer.requireConfigured()
  const user = await inTransaction(deps.db, async (tx) => {
    const row = await createUser(deps.users, fields, tx)
    const locale = wanted.language === undefined ? ctx.locale : localeByWire(wanted.language)
    if (wanted.language !== undefined) await preferencesStore.change(tx, row.id, { language: locale })
    if (fields.password === undefined) await invite(deps.auth, tx, row, locale)
    const { after } = await setSettings(deps, tx, { ctx, userId: row.id, given: wanted })
    await record(tx, thingOf(row, undefined, { ...fields, ...after, revision: row.revision }))
    return row
  })
  return presentUser(deps, user, seenSinceOf(deps))
}

/** What {@link addUser} would refuse, without adding anything. */
export async function checkNewUser(deps: ConsoleUsersDeps, ctx: UserCtx, wanted: NewAdminUser): Promise<void> {
  await requireCreatable(deps.users, await newFields(deps, ctx, wanted))
}

/** The fields of a new account, of which each is within what the editor may give. */
async function newFields(deps: ConsoleUsersDeps, ctx: UserCtx, wanted: NewAdminUser): Promise<NewUser> {
  const { account, name, type, mustReset, email = '', phone = '', departmentId = null } = wanted
  const { password, permission, ownQuotaBytes = null, rules, validFrom = null, validUntil = null } = wanted
  const { speed, loginAddresses = '' } = wanted
  const editor = editorOf(ctx)
  const flags = storedPermission(permission ?? editor.permission)
  requireOwnFlags(editor, flags, 0)
  requirePhone(phone)
  requirePeriod(validFrom, validUntil)
  await requireAddressList(deps, { field: 'loginAddresses', list: loginAddresses })
  if (wanted.transfer !== undefined) await requireTransfer(deps, wanted.transfer)
  await requireDepartment(deps.db, departmentId)
  // One of the two: a password, or the way to one.
  if ((password === undefined) !== (wanted.invite === true))
    throw new AppError('PARAMETER_INVALID', { field: 'password', rule: 'either a password or an invitation' })
  if (password === undefined) {
    if (email === '') throw new AppError('EMAIL_MISSING')
    await deps.auth.mailer.requireConfigured()
  }
  const secret = password === undefined ? undefined : plain(password)
  if (secret !== undefined) await deps.users.refuseWeak?.(secret)
  return {
    ...{ account, email, phone, departmentId, permission: flags },
    ...(secret === undefined ? {} : { password: secret }),
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(mustReset === undefined ? {} : { mustReset }),
    ...{ quotaBytes: ownQuotaBytes, fileRules: rulesText(rules), validFrom, validUntil },
    ...{ speedRules: speedText(speed), loginAddresses },
  }
}

/** Changes the given fields. @throws AppError ACCOUNT_NOT_FOUND, EDIT_CONFLICT, and those of a field */
export async function editUser(
  deps: ConsoleUsersDeps,
  { ctx, record }: ConsoleCall,
  {
    id,
    change: { revision, password, transfer, weight, ...change },
  }: { readonly id: string; readonly change: AdminUserChange },
): Promise<AdminUserDetail> {
  const user = await requireUser(deps.db, id)
  requireEditable(editorOf(ctx), { id, standing: await standingIn(deps.db, user) })
  if (change.permission !== undefined) requireOwnFlags(editorOf(ctx), change.permission, user.permission)
  if (change.email !== undefined && change.email !== '') requireEmail(change.email)
  if (change.phone !== undefined) requirePhone(change.phone)
  if (change.departmentId !== undefined) await requireDepartment(deps.db, change.departmentId)
  requireOwnFields(user, { ...change, password })
  if (transfer !== undefined) await requireTransfer(deps, transfer, await transferOf(deps.db, id))
  const { validFrom = user.valid_from, validUntil = user.valid_until } = change
  requirePeriod(validFrom, validUntil)
  requireLasting(user, change)
  const { loginAddresses } = change
  if (loginAddresses !== undefined) {
    const held = user.login_addresses
    await requireAddressList(deps, { field: 'loginAddresses', list: loginAddresses, held })
    // Nobody shuts themselves out.
    if (id === ctx.principal.id && !coversAddress(loginAddresses, ctx.address))
      throw new AppError('ADDRESS_NOT_ALLOWED')
  }
  const secret = password === undefined ? undefined : plain(password)
  if (secret !== undefined) {
    requirePassword(secret, user.account, deps.users.passwordPreset)
    await deps.users.refuseWeak?.(secret)
  }
  const columns = {
    ...columnsOf(change),
    ...(secret === undefined ? {} : { password_hash: await hashPassword(secret, deps.users.random) }),
  }
  if (user.revision !== revision) throw await conflictOf(deps.db, user, revision)
  const isFirst = await withUniqueEmail(() =>
    inTransaction(deps.db, async (tx) => {
      const [held] = await usersStore.hold(tx, [id])
      if (held?.revision !== revision) return false
      // Somebody may have become an administrator since, which leaves the revision as it was.
      requireEditable(editorOf(ctx), { id, standing: await standingIn(tx, held) })
      if (!(await usersStore.updateAt(tx, id, revision, columns))) return false
      await announce(deps, tx, user, { email: change.email, isNewPassword: secret !== undefined })
      await settleInvitation(deps, tx, { ctx, user, columns })
      const { before, after } = stepOf(user, { ...columns, revision: revision + 1 })
      const settings = await setSettings(deps, tx, { ctx, userId: id, given: { transfer, weight } })
      await record(tx, thingOf(user, { ...before, ...settings.before }, { ...after, ...settings.after }))
      return true
    }),
  )
  if (!isFirst) throw await conflictOf(deps.db, await requireUser(deps.db, id), revision)
  deps.transfer.settings.forget()
  deps.users.bus.publish('user.changed', { userId: id })
  if (loginAddresses !== undefined) await endOutside(deps, id, loginAddresses)
  if (secret !== undefined) {
    deps.users.bus.publish('user.revoked', { userId: id, reason: 'password-changed' })
    await deps.sessions.endAllOf(id, 'password-changed')
  }
  return getUser(deps, id)
}

interface Edited {
  readonly ctx: UserCtx
  readonly user: UserRow
  readonly columns: Partial<UserRow>
}

/** A password set in the person's place, and another address, end the invitation that went out before. */
async function settleInvitation({ auth }: ConsoleUsersDeps, tx: Tx, { ctx, user, columns }: Edited): Promise<void> {
  if (columns.password_hash !== undefined) return invitationsStore.remove(tx, user.id)
  if (columns.email !== undefined && columns.email !== user.email)
    await readdressInvitation(auth, tx, { ...user, ...columns }, ctx.locale)
}

interface GivenSettings {
  readonly ctx: UserCtx
  readonly userId: string
  readonly given: Pick<AdminUserChange, 'transfer' | 'weight'>
}

/** Sets what an account keeps as settings of its own. @returns what that makes of it, for the log */
async function setSettings({ transfer: deps }: ConsoleUsersDeps, tx: Tx, { ctx, userId, given }: GivenSettings) {
  const before: Partial<Pick<AdminUserDetail, 'transfer' | 'weight'>> = {}
  const after: typeof before = {}
  const { transfer, weight } = given
  if (transfer !== undefined) {
    before.transfer = await transferOf(tx, userId)
    after.transfer = transfer
    await setTransfer(deps, tx, { ctx, userId, transfer })
  }
  const known = weight === undefined ? undefined : await weightOf(tx, { userId })
  if (weight !== undefined && known !== undefined && known !== weight) {
    before.weight = known
    after.weight = weight
    await setWeight(deps, tx, { ctx, target: { userId }, weight })
  }
  return { before, after }
}

/** What a directory gives an account is changed there. @throws AppError ACCOUNT_MANAGED_ELSEWHERE */
function requireOwnFields(user: UserRow, change: Omit<AdminUserChange, 'revision' | 'transfer' | 'weight'>): void {
  if (user.password_hash !== '') return
  const { name = user.name, email = user.email, phone = user.phone, password, mustReset = false } = change
  const changed = [
    ...(name === user.name ? [] : ['name']),
    ...(email === user.email ? [] : ['email']),
    ...(phone === user.phone ? [] : ['phone']),
    ...(password === undefined ? [] : ['password']),
    ...(mustReset ? ['mustReset'] : []),
  ]
  if (changed.length > 0) throw new AppError('ACCOUNT_MANAGED_ELSEWHERE', { field: changed[0] })
}

function columnsOf(change: Omit<AdminUserChange, 'revision' | 'password' | 'transfer' | 'weight'>): Partial<UserRow> {
  const { name, email, phone, departmentId, permission, ownQuotaBytes, mustReset } = change
  const { rules, validFrom, validUntil, speed, loginAddresses } = change
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email, email_key: email === '' ? null : foldCase(email) }),
    ...(phone === undefined ? {} : { phone }),
    ...(departmentId === undefined ? {} : { department_id: departmentId }),
    ...(permission === undefined ? {} : { permission: storedPermission(permission) }),
    ...(ownQuotaBytes === undefined ? {} : { quota_bytes: ownQuotaBytes }),
    ...(mustReset === undefined ? {} : { must_reset: mustReset ? 1 : 0 }),
    ...(rules === undefined ? {} : { file_rules: rulesText(rules) }),
    ...(speed === undefined ? {} : { speed_rules: speedText(speed) }),
    ...(loginAddresses === undefined ? {} : { login_addresses: loginAddresses }),
    ...(validFrom === undefined ? {} : { valid_from: validFrom }),
    ...(validUntil === undefined ? {} : { valid_until: validUntil }),
  }
}

/** Sessions from addresses that are not let in any longer end, with what runs by them. */
async function endOutside({ sessions }: ConsoleUsersDeps, userId: string, addresses: string): Promise<void> {
  for (const { id, address } of await sessions.listOf(userId))
    if (!coversAddress(addresses, address)) await sessions.end(id, userId, 'revoked')
}

/** Columns as the wire calls them; the log speaks of fields. */
const FIELDS: Readonly<Record<string, string>> = {
  department_id: 'departmentId',
  quota_bytes: 'ownQuotaBytes',
  must_reset: 'mustReset',
  password_hash: 'password',
  file_rules: 'rules',
  speed_rules: 'speed',
  login_addresses: 'loginAddresses',
  valid_from: 'validFrom',
  valid_until: 'validUntil',
}

/** What a change makes of an account, field by field; what stays as it was is left out. */
function stepOf(user: UserRow, columns: Partial<UserRow>) {
  const known: Readonly<Record<string, unknown>> = { ...user }
  const changed = Object.entries(columns).filter(([name, value]) => name !== 'email_key' && known[name] !== value)
  return {
    before: Object.fromEntries(changed.map(([name]) => [FIELDS[name] ?? name, known[name]])),
    after: Object.fromEntries(changed.map(([name, value]) => [FIELDS[name] ?? name, value])),
  }
}

/** Events that others wait for: the owner gets a notice of a new password or address. */
async function announce(
  { users: { clock } }: ConsoleUsersDeps,
  tx: Tx,
  user: UserRow,
  { email, isNewPassword }: { readonly email: string | undefined; readonly isNewPassword: boolean },
): Promise<void> {
  const at = clock.now()
  if (isNewPassword) await recordEvent({ tx, clock }, 'account.password-changed', { userId: user.id, at })
  if (email !== undefined && email !== user.email)
    await recordEvent({ tx, clock }, 'account.email-changed', { userId: user.id, email: user.email, at })
}

async function withUniqueEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('EMAIL_EXISTS', undefined, { cause: thrown })
    throw thrown
  }
}

function conflictOf(db: Db, { id, revision: present }: UserRow, from: number): Promise<AppError> {
  return editConflict(db, { kind: 'user', id }, { from, present })
}

export function thingOf(
  { id, account: name }: UserRow,
  before: object | undefined,
  after: object | undefined,
): ChangedThing {
  return { kind: 'user', id, name, before, after }
}

async function standingIn(db: Db | Tx, user: UserRow) {
  return standingOf(user, await administratorsStore.among(db, [user.id]))
}

async function requireUser(db: Db, id: string): Promise<UserRow> {
  const user = await usersStore.byId(db, id)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}

async function requireDepartment(db: Db, id: number | null): Promise<void> {
  if (id !== null && (await departmentsStore.byId(db, id)) === undefined) throw new AppError('DEPARTMENT_NOT_FOUND')
}

const E164 = /^\+[1-9][0-9]{6,14}$/

function requirePhone(phone: string): void {
  if (phone !== '' && !isPhone(phone) && !E164.test(phone)) throw new AppError('PHONE_INVALID')
}

/** @throws AppError PARAMETER_INVALID */
function plain(encoded: string): string {
  const password = decodePassword(encoded)
  if (password === undefined || password.includes('\0')) throw new AppError('PARAMETER_INVALID', { field: 'password' })
  return password
}

export function seenSinceOf({ users: { clock }, idleMs }: ConsoleUsersDeps): number {
  return clock.now() - idleMs
}
