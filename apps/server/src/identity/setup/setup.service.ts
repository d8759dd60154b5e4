import type { Random } from '@godwit/base'
import { decodePassword, type LoginReply } from '@godwit/contract'
import { hashToken, newToken, secretsEqual } from '../../kernel/crypto/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { openSession, type AuthDeps } from '../auth/index.ts'
import { createUser, usersStore, type NewUser, type UserRow, type UsersDeps } from '../users/index.ts'

export interface SetupDeps {
  readonly db: Db
  readonly random: Random
  readonly users: UsersDeps
  readonly auth: AuthDeps
  readonly state: SetupState
}

/** Lives in memory only: a token dies with the process that printed it. */
export interface SetupState {
  tokenHash: string | undefined
}

/** True until the first account exists. */
export async function isSetupNeeded(db: Db): Promise<boolean> {
  return (await usersStore.count(db)) === 0
}

/** @returns the one-time token to print, or undefined when the installation has its administrator */
export async function offerSetup(deps: Pick<SetupDeps, 'db' | 'random' | 'state'>): Promise<string | undefined> {
  if (!(await isSetupNeeded(deps.db))) return undefined
  const token = newToken(deps.random)
  deps.state.tokenHash = hashToken(token)
  return token
}

/**
 * Creates the first administrator and signs in.
 * @throws AppError SETUP_DONE, SETUP_TOKEN_WRONG, and those of createUser
 */
export async function setUp(
  deps: SetupDeps,
  ctx: Ctx,
  wanted: { readonly token: string; readonly account: string; readonly email: string; readonly password: string },
): Promise<LoginReply> {
  const { tokenHash } = deps.state
  if (tokenHash === undefined) throw new AppError('SETUP_DONE')
  if (!secretsEqual(hashToken(wanted.token), tokenHash)) throw new AppError('SETUP_TOKEN_WRONG')
  const password = decodePassword(wanted.password)
  if (password === undefined) throw new AppError('PARAMETER_INVALID', { field: 'password' })
  // Spent before the first wait: two calls at the same time must not both find an empty installation.
  deps.state.tokenHash = undefined
  const user = await createFirstAdministrator(deps.users, { ...wanted, password }).catch((thrown: unknown) => {
    deps.state.tokenHash = tokenHash
    throw thrown
  })
  return openSession(deps.auth, ctx, user, 'password')
}

/** The super administrator, who is also a user of the portal. @throws AppError SETUP_DONE when any account exists */
export async function createFirstAdministrator(
  deps: UsersDeps,
  wanted: Pick<NewUser, 'account' | 'email' | 'password'>,
): Promise<UserRow> {
  if (!(await isSetupNeeded(deps.db))) throw new AppError('SETUP_DONE')
  return createUser(deps, { ...wanted, isAdmin: true, isSuper: true })
}
