import { API_TOKEN_PREFIX } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ApiTokenPrincipal } from '../../kernel/principal.ts'
import { foldCase, usersStore } from '../users/index.ts'
import { countGuess, type AuthDeps } from './auth.service.ts'

/**
 * An API token as the password of a program that knows only account and password. Guesses count as at the sign-in. A token that has
 * ended counts for the address alone: it cannot be guessed, and a mount that was left behind would lock its owner out.
 * @throws AppError PASSWORD_WRONG, ACCOUNT_LOCKED
 */
export async function byAppPassword(
  deps: AuthDeps,
  ctx: Ctx,
  { account, password }: { readonly account: string; readonly password: string },
): Promise<ApiTokenPrincipal> {
  const key = foldCase(account.trim())
  const isToken = password.startsWith(API_TOKEN_PREFIX)
  const principal = isToken ? await deps.sessions.authenticate(password, true) : undefined
  if (principal?.kind === 'api-token' && (await isNameOf(deps, key, principal.id))) return principal
  await countGuess(deps, ctx, isToken ? undefined : key)
  throw new AppError('PASSWORD_WRONG')
}

async function isNameOf({ db }: Pick<AuthDeps, 'db'>, key: string, userId: string): Promise<boolean> {
  return key !== '' && (await usersStore.byAccountOrEmail(db, key))?.id === userId
}
