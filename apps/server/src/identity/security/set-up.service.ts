import type { LoginReply } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { guardGuess, openSession, ownerOfSetUp, requireSignInsOpen, sourceOf } from '../auth/index.ts'
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/index.ts'
import { requireUsable } from '../users/index.ts'
import type { SecurityDeps } from './security.service.ts'

/** A secret for somebody who may not sign in before it is set up. @throws AppError SIGN_IN_AGAIN, RATE_LIMITED */
export async function beginSetUp(deps: SecurityDeps, ctx: Ctx, ticket: string) {
  await deps.setUps.take(sourceOf(ctx.address))
  const user = await ownerOfSetUp(deps.auth, ticket)
  return beginSecondFactor(deps.auth, user, await deps.siteName())
}

/** @throws AppError SIGN_IN_AGAIN, SECOND_FACTOR_WRONG, ACCOUNT_LOCKED, ADDRESS_NOT_ALLOWED, RATE_LIMITED */
export async function finishSetUp(
  deps: SecurityDeps,
  ctx: Ctx,
  { setUp, code }: { readonly setUp: string; readonly code: string },
): Promise<LoginReply & { readonly recoveryCodes: string[] }> {
  const { auth } = deps
  await deps.setUps.take(sourceOf(ctx.address))
  const user = await ownerOfSetUp(auth, setUp)
  requireUsable(user, auth.clock.now())
  if (user.must_reset === 1) throw new AppError('SIGN_IN_AGAIN')
  await requireSignInsOpen(auth, user)
  const recoveryCodes = await guardGuess(auth, user.id, () => confirmSecondFactor(auth, user.id, code))
  return { ...(await openSession(auth, ctx, user, 'second-factor')), recoveryCodes }
}
