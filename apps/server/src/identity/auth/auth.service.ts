import {
  ACCOUNT_TYPE,
  canChangePassword,
  decodePassword,
  hasPassword,
  type AccountType,
  type LoginReply,
  type SentCode,
} from '@godwit/contract'
import type { ServerState } from '../../foundation/server-state/index.ts'
import { decoyHash, verifyPassword } from '../../kernel/crypto/index.ts'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Elsewhere } from '../providers/index.ts'
import { sessionIdOf } from '../principals/index.ts'
import { hasSecondFactor, takeSecondFactor } from '../second-factor/index.ts'
import {
  foldCase,
  isUsable,
  localeByWire,
  rememberLanguage,
  requireUsable,
  setPassword,
  usersStore,
  type UserRow,
  type UsersDeps,
} from '../users/index.ts'
import { afterFailure, lockLeft, sourceOf, type AttemptRule, type Attempts } from './attempts.policy.ts'
import { attemptsStore } from './attempts.store.ts'
import { maskedEmail } from './codes.policy.ts'
import { expectCode, sendCode, takeCode, type CodesDeps } from './codes.service.ts'
import type { AuthSwitches } from './auth.settings.ts'
import { trustedDevice } from './devices.ts'
import { requireFactorSetUp } from './required-factor.ts'
import { requireSignInsOpen } from './paused-sign-ins.ts'
import type { Sessions } from './sessions.service.ts'
import { openSession } from './session-opening.ts'
import type { SignIn } from './sign-ins.ts'

export interface AuthDeps extends CodesDeps {
  readonly sessions: Sessions
  readonly users: UsersDeps
  readonly accountRule: () => Promise<AttemptRule>
  readonly versions: { readonly protocol: string; readonly client: string }
  readonly switches: () => Promise<AuthSwitches>
  readonly invitationDays: () => Promise<number>
  /** Look-ups of one address before the sign-in. */
  readonly lookUps: CallLimit
  /** Passwords that are kept elsewhere. Absent: none are. */
  readonly elsewhere?: Elsewhere
  /** Absent at the command line, which signs nobody in. */
  readonly state?: ServerState
}

interface Credentials {
  readonly account: string
  /** As the wire has it: base64 of UTF-8. */
  readonly password: string
  readonly emailCode?: string | undefined
  readonly secondFactor?: string | undefined
  /** What an earlier sign-in left with this device. */
  readonly device?: string | undefined
}

/** An address may fail this many times as often as one account: offices share addresses. */
const ADDRESS_FACTOR = 20

/**
 * Signs in with account or e-mail.
 * @throws AppError PASSWORD_WRONG with the counters, ACCOUNT_LOCKED with the seconds left, PASSWORD_RESET_REQUIRED,
 * EMAIL_CODE_REQUIRED, EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG,
 * SECOND_FACTOR_SETUP_REQUIRED, SERVER_PAUSED
 */
export async function login(deps: AuthDeps, ctx: Ctx, credentials: Credentials): Promise<LoginReply> {
  const user = await proveIdentity(deps, ctx, credentials)
  await requireSignInsOpen(deps, user)
  if (user.must_reset === 1) throw new AppError('PASSWORD_RESET_REQUIRED')
  if (await hasSecondFactor(deps, user.id)) {
    await requireSecondFactor(deps, ctx, { user, code: credentials.secondFactor ?? '' })
    return enter(deps, ctx, user, 'second-factor')
  }
  await requireEmailCode(deps, user, credentials.emailCode ?? '')
  await requireFactorSetUp(deps, user)
  return enter(deps, ctx, user, 'password')
}

async function enter(deps: AuthDeps, ctx: Ctx, user: UserRow, method: SignIn['method']): Promise<LoginReply> {
  const reply = await openSession(deps, ctx, user, method)
  await rememberLanguage(deps.db, user.id, ctx.locale)
  return reply
}

/**
 * The account's own second factor, in place of the code by e-mail, which proves less.
 * @throws AppError SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, ACCOUNT_LOCKED
 */
async function requireSecondFactor(
  deps: AuthDeps,
  ctx: Ctx,
  { user, code }: { readonly user: UserRow; readonly code: string },
): Promise<void> {
  if (code === '') throw new AppError('SECOND_FACTOR_REQUIRED')
  try {
    await guardGuess(deps, user.id, () => takeSecondFactor(deps, user.id, code))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'SECOND_FACTOR_WRONG') {
      reportFailure(deps, ctx, { userId: user.id, method: 'second-factor', result: 'wrong-second-factor' })
    }
    throw thrown
  }
}

/**
 * Counts a guess at an account's codes before it is tried, as passwords are counted; a right one clears the count.
 * @throws AppError ACCOUNT_LOCKED, and what `guess` throws
 */
export async function guardGuess<Result>(
  deps: Pick<AuthDeps, 'db' | 'dialect' | 'clock' | 'accountRule'>,
  userId: string,
  guess: () => Promise<Result>,
): Promise<Result> {
  const subject = `second-factor:${userId}`
  await countAttempt(deps, [{ subject, rule: await deps.accountRule() }])
  const result = await guess()
  await attemptsStore.clear(deps.db, subject)
  return result
}

/** Told, not written: a write for known accounts alone would show in the time of the answer. */
function reportFailure(deps: AuthDeps, { address, userAgent }: Ctx, signIn: SignIn): void {
  deps.users.bus.publishHere('sign-in.failed', { ...signIn, address, userAgent })
}

/**
 * The code by e-mail, where the site asks for one. Accounts that are kept elsewhere have their own second factor there.
 * @throws AppError EMAIL_CODE_REQUIRED, EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED; EMAIL_MISSING and
 * SYSTEM_MAIL_NOT_CONFIGURED when no code could come
 */
async function requireEmailCode(deps: AuthDeps, user: UserRow, code: string): Promise<void> {
  if (user.account_type !== ACCOUNT_TYPE.normal || (await deps.switches()).emailVerificationSwitch !== 1) return
  if (code === '') {
    if (user.email === '') throw new AppError('EMAIL_MISSING')
    await deps.mailer.requireConfigured()
    await expectCode(deps, user)
    throw new AppError('EMAIL_CODE_REQUIRED', { email: maskedEmail(user.email) })
  }
  const userId = await takeCode(deps, 'sign-in', { key: user.account_key, code })
  if (userId !== user.id) throw new AppError('EMAIL_CODE_EXPIRED')
}

/** Sends the code that a sign-in waits for; whoever did not prove the password is answered alike and gets none. */
export async function sendSignInCode(
  deps: AuthDeps,
  ctx: Ctx,
  wanted: { readonly account: string; readonly language: number },
): Promise<SentCode> {
  await deps.mailer.requireConfigured()
  const typed = foldCase(wanted.account.trim())
  const user = await usersStore.byAccountOrEmail(deps.db, typed)
  const locale = localeByWire(wanted.language)
  const mail = { template: 'sign-in-code', locale, values: { account: user?.account ?? '' } } as const
  return sendCode(deps, ctx, { purpose: 'sign-in', key: user?.account_key ?? typed, holder: user, mail })
}

/**
 * The account behind an e-mail address, before the sign-in: the address itself, which the sign-in takes. Nothing is looked
 * up, so nothing can be found out.
 * @throws AppError RATE_LIMITED
 */
export async function accountOfEmail(deps: Pick<AuthDeps, 'lookUps'>, ctx: Ctx, email: string): Promise<string> {
  await deps.lookUps.take(sourceOf(ctx.address))
  return email.trim()
}

/** Replaces a password that must be changed, and no other. @throws as {@link login}, PASSWORD_WEAK, PASSWORD_CHANGE_NOT_ALLOWED */
export async function changeFirstPassword(
  deps: AuthDeps,
  ctx: Ctx,
  wanted: { readonly account: string; readonly oldPassword: string; readonly newPassword: string },
): Promise<void> {
  const user = await proveIdentity(deps, ctx, { account: wanted.account, password: wanted.oldPassword })
  if (user.must_reset !== 1) throw new AppError('PASSWORD_CHANGE_NOT_ALLOWED')
  if (!(await setPassword(deps.users, user, decoded(wanted.newPassword)))) throw new AppError('PASSWORD_WRONG')
  await deps.sessions.endAllOf(user.id)
}

/**
 * @throws AppError OLD_PASSWORD_WRONG, PASSWORD_WEAK; PASSWORD_CHANGE_NOT_ALLOWED for accounts whose password is kept
 * elsewhere, and where the site forbids it
 */
export async function changePassword(
  deps: AuthDeps,
  ctx: UserCtx,
  wanted: { readonly oldPassword: string; readonly newPassword: string },
): Promise<void> {
  const user = await usersStore.byId(deps.db, ctx.principal.id)
  if (user === undefined) throw new AppError('TOKEN_INVALID')
  const { userPwdSwitch } = await deps.switches()
  if (!canChangePassword(user.account_type as AccountType, userPwdSwitch)) {
    throw new AppError('PASSWORD_CHANGE_NOT_ALLOWED')
  }
  await provePassword(deps, ctx, { user, password: wanted.oldPassword })
  if (!(await setPassword(deps.users, user, decoded(wanted.newPassword)))) throw new AppError('OLD_PASSWORD_WRONG')
  await deps.sessions.endAllOf(user.id)
}

/** Who signed in at an identity provider so long ago at most has proved themselves again. */
const FRESH_MS = 10 * 60_000

/**
 * The own password, asked again. Accounts of an identity provider have none here: their session has to be a new one.
 * @throws AppError OLD_PASSWORD_WRONG with the counters, ACCOUNT_LOCKED, SIGN_IN_AGAIN
 */
export async function provePassword(
  deps: AuthDeps,
  ctx: Ctx,
  { user, password }: { readonly user: UserRow; readonly password: string },
): Promise<void> {
  if (!hasPassword(user.account_type as AccountType)) return requireFresh(deps, ctx, user)
  try {
    await proveIdentity(deps, ctx, { account: user.account, password })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PASSWORD_WRONG') {
      throw new AppError('OLD_PASSWORD_WRONG', thrown.details, { cause: thrown })
    }
    throw thrown
  }
}

async function requireFresh(deps: AuthDeps, { principal }: Ctx, user: UserRow): Promise<void> {
  const isOwn = principal !== undefined && principal.kind === 'user' && principal.id === user.id
  const provenAt = isOwn ? await deps.elsewhere?.provenAt(sessionIdOf(principal)) : undefined
  if (provenAt === undefined || deps.clock.now() - provenAt > FRESH_MS) throw new AppError('SIGN_IN_AGAIN')
}

/**
 * The one check of a password, with its counters. They count by what was typed: one count for account and address together would
 * show which of them belong together. A device that signed in before has a count of its own in place of both. Unknown accounts take the same time, count the same and answer the
 * same as known ones, so that nobody can find out who has an account.
 */
async function proveIdentity(deps: AuthDeps, ctx: Ctx, credentials: Credentials): Promise<UserRow> {
  const key = foldCase(credentials.account.trim())
  const password = decodePassword(credentials.password)
  if (key === '') throw new AppError('PARAMETER_INVALID', { field: 'account' })
  if (password === undefined || password.includes('\0') || password === '')
    throw new AppError('PARAMETER_INVALID', { field: 'password' })
  const user = await usersStore.byAccountOrEmail(deps.db, key)
  const device = user && trustedDevice(deps, user, credentials.device ?? '')
  const rule = await deps.accountRule()
  const subjects: readonly [Counter, ...Counter[]] =
    device === undefined ? subjectsOf(rule, ctx, key) : [{ subject: device, rule }]
  const counters = await countAttempt(deps, subjects)
  const proven = await ownerOf(deps, { user, login: credentials.account.trim(), password }, subjects)
  if (user && !proven) reportFailure(deps, ctx, { userId: user.id, method: 'password', result: 'wrong-password' })
  if (!proven) throw new AppError('PASSWORD_WRONG', counters)
  await forgetAttempt(deps, subjects)
  if (!isUsable(proven, deps.clock.now()))
    reportFailure(deps, ctx, { userId: proven.id, method: 'password', result: 'refused' })
  requireUsable(proven, deps.clock.now())
  return proven
}

/** Whose name and password this is, as this server knows it, or else the place where the account comes from. */
async function ownerOf(
  deps: AuthDeps,
  { user, login, password }: { readonly user: UserRow | undefined; readonly login: string; readonly password: string },
  subjects: readonly Counter[],
): Promise<UserRow | undefined> {
  const decoy = decoyHash(deps.vault.mac('no-account', foldCase(login)))
  const stored = user?.password_hash ?? ''
  if (await verifyPassword(password, stored === '' ? decoy : stored)) return user
  try {
    return await deps.elsewhere?.signIn({ user, login, password })
  } catch (thrown) {
    // Nothing was guessed where nobody could be asked.
    for (const { subject } of subjects) await attemptsStore.takeBack(deps.db, subject)
    throw thrown
  }
}

/** Who proved the mailbox may sign in with the new password at once. */
export async function forgetFailures(deps: Pick<AuthDeps, 'db'>, user: UserRow): Promise<void> {
  for (const key of [user.account_key, user.email_key ?? '']) await attemptsStore.clear(deps.db, subjectOfAccount(key))
}

interface Counter {
  readonly subject: string
  readonly rule: AttemptRule
}

function subjectsOf(rule: AttemptRule, ctx: Ctx, accountKey: string): [Counter, ...Counter[]] {
  const { attempts, windowMs } = rule
  return [
    { subject: subjectOfAccount(accountKey), rule },
    { subject: `address:${sourceOf(ctx.address)}`, rule: { attempts: attempts * ADDRESS_FACTOR, windowMs } },
  ]
}

/**
 * Counts a wrong credential of a program, as a wrong password counts.
 * @param accountKey undefined where it names no account that could be guessed @throws AppError ACCOUNT_LOCKED
 */
export async function countGuess(deps: AuthDeps, ctx: Ctx, accountKey: string | undefined): Promise<void> {
  const [account, address] = subjectsOf(await deps.accountRule(), ctx, accountKey ?? '')
  if (address === undefined) throw new Error('an attempt without an address')
  await countAttempt(deps, accountKey === undefined ? [address] : [account, address])
}

function subjectOfAccount(key: string): string {
  return `account:${key.slice(0, 256)}`
}

/**
 * Counts the attempt as failed before the password is looked at; a right one clears the count. So guesses made at the
 * same time cannot all be tried before the first of them is counted.
 * @throws AppError ACCOUNT_LOCKED
 */
async function countAttempt(
  deps: Pick<AuthDeps, 'db' | 'dialect' | 'clock'>,
  subjects: readonly [Counter, ...Counter[]],
) {
  const states = await inTransaction(deps.db, async (tx) => {
    const counted: Attempts[] = []
    for (const counter of subjects) counted.push(await countOne(deps, tx, counter))
    return counted
  })
  return {
    loginFailTimes: states[0]?.failures ?? 1,
    lockPeriod: subjects[0].rule.windowMs / 1000,
    maxLockTimes: subjects[0].rule.attempts,
  }
}

/**
 * After a right password: the account starts anew, the address only takes its own attempt back. Otherwise whoever owns one
 * account could try the passwords of all others from one address without end.
 */
async function forgetAttempt(deps: AuthDeps, [account, ...others]: readonly Counter[]): Promise<void> {
  if (account !== undefined) await attemptsStore.clear(deps.db, account.subject)
  for (const { subject } of others) await attemptsStore.takeBack(deps.db, subject)
}

async function countOne(
  deps: Pick<AuthDeps, 'dialect' | 'clock'>,
  tx: Tx,
  { subject, rule }: Counter,
): Promise<Attempts> {
  const state = fromRow(await attemptsStore.hold(tx, deps.dialect, subject))
  // Only now: those that were counted during the wait are in the past.
  const now = deps.clock.now()
  const left = lockLeft(state, rule, now)
  if (left > 0) throw new AppError('ACCOUNT_LOCKED', { retryAfterSeconds: Math.ceil(left / 1000) })
  const next = afterFailure(state, rule, now)
  await attemptsStore.put(tx, { subject, failures: next.failures, since: next.since, locked_until: next.lockedUntil })
  return next
}

function fromRow(row: { failures: number; since: number; locked_until: number }): Attempts {
  return { failures: row.failures, since: row.since, lockedUntil: row.locked_until }
}

function decoded(wire: string): string {
  const password = decodePassword(wire)
  if (password === undefined) throw new AppError('PARAMETER_INVALID', { field: 'password' })
  return password
}
