import type { SentCode } from '@godwit/contract'
import { ACCOUNT_TYPE, decodePassword } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { foldCase, isEmail, localeByWire, requirePassword, setPassword, usersStore } from '../users/index.ts'
import { forgetFailures, type AuthDeps } from './auth.service.ts'
import { fitsReset, grantReset, sendCode, takeCode } from './codes.service.ts'
import { codesStore } from './codes.store.ts'

/**
 * Forgot password, step 1. Only the answer for a malformed address differs: who has an account cannot be found out.
 * @throws AppError PASSWORD_RESET_DISABLED, EMAIL_INVALID, SYSTEM_MAIL_NOT_CONFIGURED, RATE_LIMITED
 */
export async function sendResetCode(
  deps: AuthDeps,
  ctx: Ctx,
  wanted: { readonly email: string; readonly language: number },
): Promise<SentCode> {
  await requireOpen(deps)
  if (!isEmail(wanted.email)) throw new AppError('EMAIL_INVALID')
  await deps.mailer.requireConfigured()
  const key = foldCase(wanted.email)
  const found = await usersStore.byAccountOrEmail(deps.db, key)
  // The password of any other account is kept elsewhere.
  const user = found?.account_type === ACCOUNT_TYPE.normal ? found : undefined
  const locale = localeByWire(wanted.language)
  const mail = { template: 'reset-code', locale, values: { account: user?.account ?? '' } } as const
  return sendCode(deps, ctx, { purpose: 'reset', key, holder: user, mail })
}

/** Step 2. @throws AppError PASSWORD_RESET_DISABLED, EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED */
export async function verifyResetCode(
  deps: AuthDeps,
  typed: { readonly email: string; readonly code: string },
): Promise<string> {
  await requireOpen(deps)
  const key = foldCase(typed.email)
  const userId = await takeCode(deps, 'reset', { key, code: typed.code })
  const user = await usersStore.byId(deps.db, userId)
  // Who reads the mail of an address that the account had before has proven nothing.
  if (user?.email_key !== key) throw new AppError('EMAIL_CODE_EXPIRED')
  return grantReset(deps, user)
}

/**
 * Step 3. A password that is refused leaves the token good for another try.
 * @throws AppError PASSWORD_RESET_DISABLED, RESET_TOKEN_INVALID, PASSWORD_WEAK
 */
export async function resetPassword(
  deps: AuthDeps,
  wanted: { readonly passToken: string; readonly password: string },
): Promise<void> {
  await requireOpen(deps)
  const password = decodePassword(wanted.password)
  if (password === undefined || password.includes('\0')) throw new AppError('PARAMETER_INVALID', { field: 'password' })
  const tokenHash = hashToken(wanted.passToken)
  const userId = await codesStore.resetBy(deps.db, tokenHash, deps.clock.now())
  const user = userId === undefined ? undefined : await usersStore.byId(deps.db, userId)
  if (user?.account_type !== ACCOUNT_TYPE.normal || !fitsReset(deps, wanted.passToken, user)) {
    throw new AppError('RESET_TOKEN_INVALID')
  }
  requirePassword(password, user.account, deps.users.passwordPreset)
  await deps.users.refuseWeak?.(password)
  const isFirst = await inTransaction(deps.db, (tx) => codesStore.spendReset(tx, tokenHash))
  if (!isFirst) throw new AppError('RESET_TOKEN_INVALID')
  if (!(await setPassword(deps.users, user, password))) throw new AppError('RESET_TOKEN_INVALID')
  await deps.sessions.endAllOf(user.id, 'password-changed')
  await forgetFailures(deps, user)
}

/** @throws AppError PASSWORD_RESET_DISABLED */
async function requireOpen(deps: AuthDeps): Promise<void> {
  if ((await deps.switches()).resetPasswordSwitch !== 1) throw new AppError('PASSWORD_RESET_DISABLED')
}
