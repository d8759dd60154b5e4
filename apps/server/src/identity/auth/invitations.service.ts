import { decodePassword, type LoginReply } from '@godwit/contract'
import type { Locale } from '@godwit/i18n'
import type { Ctx } from '../../kernel/context.ts'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  invitationsStore,
  isUsable,
  localeOf,
  preferencesStore,
  requirePassword,
  setPassword,
  usersStore,
  type InvitationRow,
  type UserRow,
} from '../users/index.ts'
import { sourceOf } from './attempts.policy.ts'
import { forgetFailures, type AuthDeps } from './auth.service.ts'
import { requireSignInsOpen } from './paused-sign-ins.ts'
import { requireFactorSetUp } from './required-factor.ts'
import { openSession } from './session-opening.ts'

const DAY_MS = 24 * 3_600_000
/** Between two mails to one person. */
const REST_MS = 60_000

export type InvitationDeps = Pick<AuthDeps, 'db' | 'clock' | 'random' | 'mailer' | 'invitationDays'>

/**
 * Mails a link by which the person chooses a password. Only its hash is kept, and an earlier link is worth nothing from then on.
 * @param otherwise language of the mail, unless the account has one
 * @throws AppError EMAIL_MISSING, SYSTEM_MAIL_NOT_CONFIGURED
 */
export async function invite(
  deps: InvitationDeps,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'account' | 'name' | 'email'>,
  otherwise: Locale,
): Promise<void> {
  if (user.email === '') throw new AppError('EMAIL_MISSING')
  const days = await deps.invitationDays()
  const token = newToken(deps.random)
  const now = deps.clock.now()
  const expires_at = now + days * DAY_MS
  await invitationsStore.put(tx, { user_id: user.id, token_hash: hashToken(token), sent_at: now, expires_at })
  const locale = localeOf(await preferencesStore.of(tx, user.id), otherwise)
  const values = { account: user.account, name: user.name, days }
  // Behind the #: neither a proxy nor whoever looks at links in mails sends it to the server.
  await deps.mailer.send({ to: user.email, template: 'invitation', locale, values, path: `/join#${token}` }, tx)
}

/** Notes that an account which cannot be used yet is to be invited: by {@link inviteWaiting}, or by an administrator before. */
export async function inviteLater({ random }: InvitationDeps, tx: Tx, userId: string): Promise<void> {
  const token_hash = hashToken(newToken(random))
  await invitationsStore.put(tx, { user_id: userId, token_hash, sent_at: 0, expires_at: 0 })
}

/** Mails the invitation that waits for this since {@link inviteLater}. Without an address or a sender of the system it waits on. */
export async function inviteWaiting(deps: InvitationDeps, tx: Tx, user: UserRow, otherwise: Locale): Promise<void> {
  const row = await invitationsStore.of(tx, user.id)
  if (row === undefined || Number(row.sent_at) > 0) return
  if (user.email !== '' && (await deps.mailer.isConfigured(tx))) await invite(deps, tx, user, otherwise)
}

/**
 * The same once more, for an account that has no password of its owner's yet.
 * @throws AppError INVITATION_INVALID for any other one, RATE_LIMITED within a minute, and as {@link invite}
 */
export async function inviteAgain(deps: InvitationDeps, tx: Tx, user: UserRow, otherwise: Locale): Promise<void> {
  const row = await invitationsStore.of(tx, user.id)
  if (row === undefined) throw new AppError('INVITATION_INVALID')
  const wait = Number(row.sent_at) + REST_MS - deps.clock.now()
  if (wait > 0) throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil(wait / 1000) })
  await invite(deps, tx, user, otherwise)
}

/**
 * The account has another address: the link that went to the one before, perhaps by a slip to a stranger, is worth nothing
 * from then on. A person who can still use one gets it at the new address.
 * @param user with the new address
 * @param otherwise language of the mail, unless the account has one
 */
export async function readdressInvitation(
  deps: InvitationDeps,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'account' | 'name' | 'email' | 'locked'>,
  otherwise: Locale,
): Promise<void> {
  const row = await invitationsStore.of(tx, user.id)
  if (row === undefined || Number(row.expires_at) <= deps.clock.now()) return
  const isReachable = user.email !== '' && user.locked === 0 && (await deps.mailer.isConfigured(tx))
  if (isReachable) await invite(deps, tx, user, otherwise)
  else await invitationsStore.put(tx, { ...row, expires_at: 0 })
}

/** The link is worth nothing any more; the account stays. @throws AppError INVITATION_INVALID where none is open */
export async function withdrawInvitation(tx: Tx, user: UserRow): Promise<void> {
  const row = await invitationsStore.of(tx, user.id)
  if (row === undefined || Number(row.expires_at) === 0) throw new AppError('INVITATION_INVALID')
  await invitationsStore.put(tx, { ...row, expires_at: 0 })
}

/**
 * Whose link this is. Looking at it uses nothing up: mail programs open links before their readers do.
 * @throws AppError INVITATION_INVALID, alike for a link that is unknown, used, withdrawn or too old, and for an account that
 * cannot be used; RATE_LIMITED
 */
export async function openInvitation(deps: AuthDeps, ctx: Ctx, token: string): Promise<UserRow> {
  return (await found(deps, ctx, token)).user
}

/**
 * Sets the password and signs in. A password that is refused leaves the link good for another try.
 * @throws AppError INVITATION_INVALID, PASSWORD_WEAK, ADDRESS_NOT_ALLOWED, RATE_LIMITED; SECOND_FACTOR_SETUP_REQUIRED once the
 * password is set
 */
export async function acceptInvitation(
  deps: AuthDeps,
  ctx: Ctx,
  wanted: { readonly token: string; readonly password: string },
): Promise<LoginReply> {
  const password = decodePassword(wanted.password)
  if (password === undefined || password.includes('\0')) throw new AppError('PARAMETER_INVALID', { field: 'password' })
  const { row, user } = await found(deps, ctx, wanted.token)
  await requireSignInsOpen(deps, user)
  requirePassword(password, user.account, deps.users.passwordPreset)
  await deps.users.refuseWeak?.(password)
  const isFirst = await inTransaction(deps.db, (tx) => invitationsStore.spend(tx, row))
  if (!isFirst) throw new AppError('INVITATION_INVALID')
  if (!(await setPassword(deps.users, user, password))) throw new AppError('INVITATION_INVALID')
  await deps.sessions.endAllOf(user.id, 'password-changed')
  await forgetFailures(deps, user)
  const now = await usersStore.byId(deps.db, user.id)
  if (now === undefined) throw new AppError('INVITATION_INVALID')
  await requireFactorSetUp(deps, now)
  return openSession(deps, ctx, now, 'password')
}

async function found(
  deps: AuthDeps,
  ctx: Pick<Ctx, 'address'>,
  token: string,
): Promise<{ readonly row: InvitationRow; readonly user: UserRow }> {
  await deps.lookUps.take(sourceOf(ctx.address))
  const row = await invitationsStore.byToken(deps.db, hashToken(token))
  const user = row === undefined ? undefined : await usersStore.byId(deps.db, row.user_id)
  const now = deps.clock.now()
  if (row === undefined || user === undefined || Number(row.expires_at) <= now || !isUsable(user, now))
    throw new AppError('INVITATION_INVALID')
  return { row, user }
}
