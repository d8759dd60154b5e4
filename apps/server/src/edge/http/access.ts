import type { RouteSpec } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { accountOf, requireAccount, sessionIdOf } from '../../identity/principals/index.ts'

/** Whether this caller may call a route at all; what it may do there the feature decides. @throws AppError TOKEN_INVALID, PERMISSION_DENIED */
export function requireAccess(access: RouteSpec['access'], ctx: Ctx): void {
  if (access === 'public' || access === 'transfer') return
  const principal = requireAccount(ctx)
  // A grant or an API token proves no person: what manages the account asks for a session.
  if (access === 'session' && sessionIdOf(principal) === '') throw new AppError('PERMISSION_DENIED')
  if (access === 'admin' && !accountOf(principal).isAdmin) throw new AppError('PERMISSION_DENIED')
}
