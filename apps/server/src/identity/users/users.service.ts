import type { Clock, Random } from '@godwit/base'
import {
  ACCOUNT_TYPE,
  FULL_PERMISSION,
  LIMITS,
  type AccountType,
  type PasswordPreset,
  type SessionEnd,
} from '@godwit/contract'
import { hashPassword, newToken } from '../../kernel/crypto/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent, type Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import { membershipsStore } from '../memberships/index.ts'
import { invitationsStore } from './invitations.store.ts'
import { foldCase, requireAccount, requireEmail, requirePassword } from './users.policy.ts'
import type { RefuseWeak } from './weak-passwords.ts'
import type { UserRow } from './users.schema.ts'
import { usersStore } from './users.store.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** Sessions, grants and sockets of the account must end. */
    readonly 'user.revoked': { readonly userId: string; readonly reason: RevokeReason }
    /** What the account may do was changed: look-ups of it are out of date, and its open pages ask again. */
    readonly 'user.changed': { readonly userId: string }
  }
}

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    readonly 'account.password-changed': { readonly userId: string; readonly at: number }
    /** A way to sign in, or to act without signing in, came or went; `name` is its owner's name for it. */
    readonly 'account.access-changed': {
      readonly userId: string
      readonly what: AccessChange
      readonly name: string
      readonly at: number
    }
    readonly 'account.email-changed': { readonly userId: string; readonly email: string; readonly at: number }
  }
}

export type AccessChange = 'second-factor-on' | 'second-factor-off' | 'passkey-added' | 'token-created'

export type RevokeReason = Extract<SessionEnd, 'locked' | 'removed' | 'password-changed' | 'elsewhere' | 'demoted'>

export interface UsersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly bus: Bus
  readonly passwordPreset: PasswordPreset
  /** Of the site's list of weak passwords; absent at the operator's command. Not to be asked within a transaction. */
  readonly refuseWeak?: RefuseWeak
  /** How many accounts there may be besides the super administrator; absent, or null: any number. */
  readonly userLimit?: () => number | null
}

export interface NewUser {
  readonly account: string
  readonly email: string
  /** Without one nobody can sign in until its owner accepted an invitation. */
  readonly password?: string
  readonly type?: AccountType
  readonly isAdmin?: boolean
  readonly isSuper?: boolean
  /** The person must choose a new password at the first sign-in. */
  readonly mustReset?: boolean
  /** The account's name unless given. */
  readonly name?: string
  readonly phone?: string
  readonly departmentId?: number | null
  /** Bits of the stored form; everything unless given. */
  readonly permission?: number
  /** Null, the default: the installation's default. 0: no limit. */
  readonly quotaBytes?: number | null
  readonly validFrom?: number | null
  readonly validUntil?: number | null
  /** JSON; null, the default: none. */
  readonly fileRules?: string | null
  /** JSON; null, the default: no limit. */
  readonly speedRules?: string | null
  /** '', the default: everywhere. */
  readonly loginAddresses?: string
}

/**
 * Creates an account with its personal folder's name.
 * @throws AppError ACCOUNT_INVALID, EMAIL_INVALID, PASSWORD_WEAK, ACCOUNT_EXISTS, EMAIL_EXISTS
 */
export async function createUser(deps: UsersDeps, wanted: NewUser, within: Db | Tx = deps.db): Promise<UserRow> {
  await requireCreatable(deps, wanted, within)
  const row = await newUserRow(deps, wanted, within)
  try {
    await insertMember(deps, row, within)
  } catch (thrown) {
    // Two creations at once: the unique keys decide, and the loser learns which one was taken.
    if (isDuplicate(thrown)) await requireFree(within, wanted)
    throw thrown
  }
  return row
}

/** @throws AppError as {@link createUser} */
export async function requireCreatable(
  { db, passwordPreset }: Pick<UsersDeps, 'db' | 'passwordPreset'>,
  wanted: NewUser,
  within: Db | Tx = db,
): Promise<void> {
  requireAccount(wanted.account)
  if (wanted.email !== '') requireEmail(wanted.email)
  if (wanted.password !== undefined) requirePassword(wanted.password, wanted.account, passwordPreset)
  await requireFree(within, wanted)
}

/**
 * Refuses accounts that the edition does not allow. Those that are there stay, also under an edition for fewer.
 * @throws AppError EDITION_USER_LIMIT
 */
export async function requireUserRoom(tx: Db | Tx, limit: number | null, added: number): Promise<void> {
  if (limit === null || added === 0) return
  if ((await usersStore.countLimited(tx)) + added > limit) throw new AppError('EDITION_USER_LIMIT', { limit })
}

/** Everybody begins in the first space. */
async function insertMember({ db, userLimit }: UsersDeps, row: UserRow, within: Db | Tx): Promise<void> {
  const insert = async (tx: Db | Tx): Promise<void> => {
    if (row.is_super === 0) await requireUserRoom(tx, userLimit?.() ?? null, 1)
    await usersStore.insert(tx, row)
    await membershipsStore.add(tx, row.id, LIMITS.defaultSpaceId)
  }
  await (within.isTransaction ? insert(within) : inTransaction(db, insert))
}

async function requireFree(db: Db | Tx, wanted: NewUser): Promise<void> {
  if (await usersStore.byAccountOrEmail(db, foldCase(wanted.account))) throw new AppError('ACCOUNT_EXISTS')
  if (wanted.email !== '' && (await usersStore.byAccountOrEmail(db, foldCase(wanted.email))))
    throw new AppError('EMAIL_EXISTS')
}

async function newUserRow(deps: UsersDeps, wanted: NewUser, db: Db | Tx): Promise<UserRow> {
  const home = plainHomeOf(wanted.account)
  return {
    ...rowOfNewUser(deps, wanted, await usersStore.isRetiredHome(db, home)),
    password_hash: await hashPassword(wanted.password ?? newToken(deps.random), deps.random),
  }
}

// Accounts are letters, digits and underscores and unique without regard to case: safe as a folder name everywhere.
export function plainHomeOf(account: string): string {
  return `users/${foldCase(account)}`
}

/** An account that no password opens. @param isHomeRetired somebody of this name was here before: their files are not handed on */
export function rowOfNewUser(
  { ids, clock }: Pick<UsersDeps, 'ids' | 'clock'>,
  wanted: Omit<NewUser, 'password'>,
  isHomeRetired: boolean,
): UserRow {
  const id = ids.next()
  const plainHome = plainHomeOf(wanted.account)
  return {
    id,
    account: wanted.account,
    account_key: foldCase(wanted.account),
    name: wanted.name ?? wanted.account,
    email: wanted.email,
    email_key: wanted.email === '' ? null : foldCase(wanted.email),
    account_type: wanted.type ?? ACCOUNT_TYPE.normal,
    is_admin: wanted.isAdmin === true ? 1 : 0,
    is_super: wanted.isSuper === true ? 1 : 0,
    password_hash: '',
    must_reset: wanted.mustReset === true ? 1 : 0,
    locked: 0,
    permission: wanted.permission ?? FULL_PERMISSION,
    quota_bytes: wanted.quotaBytes ?? null,
    home: isHomeRetired ? `${plainHome}-${id}` : plainHome,
    created_at: clock.now(),
    phone: wanted.phone ?? '',
    department_id: wanted.departmentId ?? null,
    revision: 1,
    last_sign_in_at: null,
    valid_from: wanted.validFrom ?? null,
    valid_until: wanted.validUntil ?? null,
    file_rules: wanted.fileRules ?? null,
    speed_rules: wanted.speedRules ?? null,
    login_addresses: wanted.loginAddresses ?? '',
  }
}

/** The password of an account without one is kept elsewhere. @throws AppError ACCOUNT_MANAGED_ELSEWHERE */
export function requireOwnPassword({ password_hash: hash }: Pick<UserRow, 'password_hash'>): void {
  if (hash === '') throw new AppError('ACCOUNT_MANAGED_ELSEWHERE', { field: 'password' })
}

/**
 * Replaces the password that the account had when it was read: what somebody proved about that one says nothing of another.
 * @returns false when it was replaced meanwhile; nothing is changed then
 * @throws AppError PASSWORD_WEAK, ACCOUNT_MANAGED_ELSEWHERE
 */
export async function setPassword(deps: UsersDeps, user: UserRow, password: string): Promise<boolean> {
  requireOwnPassword(user)
  requirePassword(password, user.account, deps.passwordPreset)
  await deps.refuseWeak?.(password)
  const password_hash = await hashPassword(password, deps.random)
  const isReplaced = await inTransaction(deps.db, async (tx) => {
    if (!(await usersStore.replacePassword(tx, user, password_hash))) return false
    await invitationsStore.remove(tx, user.id)
    const event = { userId: user.id, at: deps.clock.now() }
    await recordEvent({ tx, clock: deps.clock }, 'account.password-changed', event)
    return true
  })
  if (!isReplaced) return false
  deps.bus.publish('user.revoked', { userId: user.id, reason: 'password-changed' })
  return true
}

/** The account must set a new password before it signs in again. */
export async function requireNewPassword(deps: UsersDeps, user: UserRow): Promise<void> {
  requireOwnPassword(user)
  await usersStore.update(deps.db, user.id, { must_reset: 1 })
  deps.bus.publish('user.revoked', { userId: user.id, reason: 'password-changed' })
}

/** A locked account keeps its files and loses its sessions, grants and sockets at once. */
export async function setLocked(deps: UsersDeps, user: UserRow, locked: boolean): Promise<void> {
  if (locked && user.is_super === 1) throw new AppError('PERMISSION_DENIED', { reason: 'super-administrator' })
  await usersStore.update(deps.db, user.id, { locked: locked ? 1 : 0 })
  if (locked) deps.bus.publish('user.revoked', { userId: user.id, reason: 'locked' })
}
