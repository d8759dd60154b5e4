import type { LoginReply, SessionView } from '@godwit/contract'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import { guardGuess, openSession, provePassword, type AuthDeps } from '../auth/index.ts'
import { proveByPasskey, relyingParty, type PasskeysDeps } from '../passkeys/index.ts'
import { takeSecondFactor } from '../second-factor/index.ts'
import { requireUsable, usersStore, type UserRow } from '../users/index.ts'
import { sessionIdOf } from '../principals/index.ts'

export interface SecurityDeps {
  readonly auth: AuthDeps
  readonly ids: Ids
  readonly passkeys: PasskeysDeps
  /** The configured address of the site; '' without one. */
  readonly publicUrl: string
  /** What the site calls itself, for authenticator apps and browsers. */
  readonly siteName: () => Promise<string>
  /** Sign-ins by passkey that one address may begin. */
  readonly passkeyLogins: CallLimit
  /** Calls of one address to set up a second factor before the sign-in. */
  readonly setUps: CallLimit
}

/** Where an account is signed in; the session that asks comes first. */
export async function listSessions({ auth }: SecurityDeps, { principal }: UserCtx): Promise<SessionView[]> {
  const sessions = await auth.sessions.listOf(principal.id)
  return sessions
    .map((session) => ({ ...session, current: session.id === sessionIdOf(principal) }))
    .toSorted((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt - a.lastSeenAt)
}

/** @throws AppError SESSION_NOT_FOUND, also for sessions of others */
export async function endSession({ auth }: SecurityDeps, { principal }: UserCtx, sessionId: string): Promise<void> {
  const isOwn = (await auth.sessions.listOf(principal.id)).some(({ id }) => id === sessionId)
  if (!isOwn) throw new AppError('SESSION_NOT_FOUND')
  await auth.sessions.end(sessionId, principal.id, 'elsewhere')
}

/** @returns how many ended */
export async function endOtherSessions({ auth }: SecurityDeps, { principal }: UserCtx): Promise<number> {
  const others = (await auth.sessions.listOf(principal.id)).filter(({ id }) => id !== sessionIdOf(principal))
  for (const { id } of others) await auth.sessions.end(id, principal.id, 'elsewhere')
  return others.length
}

/** @throws AppError TOKEN_INVALID */
export async function ownAccount({ auth }: SecurityDeps, { principal }: UserCtx): Promise<UserRow> {
  const user = await usersStore.byId(auth.db, principal.id)
  if (user === undefined) throw new AppError('TOKEN_INVALID')
  return user
}

/**
 * What changes the ways to sign in asks for the password again: a page left open must not be enough.
 * @throws AppError OLD_PASSWORD_WRONG, ACCOUNT_LOCKED
 */
export async function provenAccount(deps: SecurityDeps, ctx: UserCtx, password: string): Promise<UserRow> {
  const user = await ownAccount(deps, ctx)
  await provePassword(deps.auth, ctx, { user, password })
  return user
}

/** Password and a code together. @throws as {@link provenAccount}, and SECOND_FACTOR_WRONG */
export async function twiceProvenAccount(
  deps: SecurityDeps,
  ctx: UserCtx,
  proof: { readonly password: string; readonly code: string },
): Promise<UserRow> {
  const user = await provenAccount(deps, ctx, proof.password)
  await guardGuess(deps.auth, user.id, () => takeSecondFactor(deps.auth, user.id, proof.code))
  return user
}

/** @throws AppError PASSKEY_REFUSED, ACCOUNT_LOCKED, PASSWORD_RESET_REQUIRED, PASSKEY_UNAVAILABLE */
export async function loginByPasskey(
  deps: SecurityDeps,
  ctx: Ctx,
  answer: { readonly challengeId: string; readonly response: Readonly<Record<string, unknown>> },
): Promise<LoginReply> {
  const site = relyingParty(deps.publicUrl, ctx.origin)
  const userId = await proveByPasskey(deps.passkeys, site, answer)
  const user = await usersStore.byId(deps.auth.db, userId)
  if (user === undefined || (await deps.auth.elsewhere?.isShut(user)) === true) throw new AppError('PASSKEY_REFUSED')
  requireUsable(user, deps.auth.clock.now())
  if (user.must_reset === 1) throw new AppError('PASSWORD_RESET_REQUIRED')
  return openSession(deps.auth, ctx, user, 'passkey')
}
