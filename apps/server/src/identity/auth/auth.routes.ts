import { authRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { changeFirstPassword, changePassword, login, type AuthDeps } from './auth.service.ts'

export function authEndpoints(deps: AuthDeps): Endpoint[] {
  return [
    endpoint(authRoutes.login, (ctx, { body }) => login(deps, ctx, body)),
    endpoint(authRoutes.refresh, async (ctx) => {
      if (ctx.bearer === undefined) throw new AppError('TOKEN_INVALID')
      const pair = await deps.sessions.refresh(ctx.bearer)
      return { token: pair.token, refresh_token: pair.refreshToken }
    }),
    endpoint(authRoutes.logout, async (ctx) => {
      await deps.sessions.end(ctx.actor.sessionId, ctx.actor.userId, 'signed-out')
      return {}
    }),
    endpoint(authRoutes.logoutEverywhere, async (ctx) => {
      const sessions = await deps.sessions.endAllOf(ctx.actor.userId)
      deps.users.bus.publish('user.revoked', { userId: ctx.actor.userId, reason: 'elsewhere' })
      return { sessions }
    }),
    endpoint(authRoutes.changePassword, async (ctx, { body }) => {
      await changePassword(deps, ctx, body)
      return {}
    }),
    endpoint(authRoutes.firstLogin, async (ctx, { body }) => {
      await changeFirstPassword(deps, ctx, body)
      return {}
    }),
  ]
}
