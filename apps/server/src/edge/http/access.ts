import type { RouteSpec } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'

/** Whether this caller may call a route at all; what it may do there the feature decides. @throws AppError TOKEN_INVALID, PERMISSION_DENIED */
export function requireAccess(access: RouteSpec['access'], ctx: Ctx): void {
  if (access === 'public' || access === 'transfer') return
  if (ctx.actor === undefined) throw new AppError('TOKEN_INVALID')
  // A grant or an API token proves no person: what manages the account asks for a session.
  if (access === 'session' && ctx.actor.sessionId === '') throw new AppError('PERMISSION_DENIED')
  if (access === 'admin' && !ctx.actor.isAdmin) throw new AppError('PERMISSION_DENIED')
}
