import type { RouteSpec } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { mayCall } from '../../identity/administrators/index.ts'
import { requireAccount, sessionIdOf } from '../../identity/principals/index.ts'

/** Whether this caller may call a route at all; what it may do there the feature decides. @throws AppError TOKEN_INVALID, PERMISSION_DENIED */
export function requireAccess(access: RouteSpec['access'], ctx: Ctx): void {
  if (access === 'public' || access === 'transfer') return
  if (access === 'guest' && ctx.principal?.kind === 'guest') return
  const principal = requireAccount(ctx)
  // A grant or an API token proves no person: what manages the account asks for a session.
  if (access === 'session' && sessionIdOf(principal) === '') throw new AppError('PERMISSION_DENIED')
  if (typeof access !== 'object') return
  // Only a person at a page of the site: neither a transfer client nor a grant stands for an administrator.
  const isPerson = principal.kind === 'user' && principal.sessionId !== ''
  if (isPerson && mayCall(principal.account.standing, access)) return
  throw new AppError('PERMISSION_DENIED', { right: access.right })
}
