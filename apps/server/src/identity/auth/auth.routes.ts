import { authRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  accountOfEmail,
  changeFirstPassword,
  changePassword,
  login,
  sendSignInCode,
  type AuthDeps,
} from './auth.service.ts'
import { acceptInvitation, openInvitation } from './invitations.service.ts'
import { changeProfile } from './profile.service.ts'
import { resetPassword, sendResetCode, verifyResetCode } from './reset.service.ts'
import { sessionIdOf } from '../principals/index.ts'

export function authEndpoints(deps: AuthDeps): Endpoint[] {
  return [
    endpoint(authRoutes.login, (ctx, { body }) => login(deps, ctx, body)),
    endpoint(authRoutes.refresh, async (ctx) => {
      if (ctx.bearer === undefined) throw new AppError('TOKEN_INVALID')
      const pair = await deps.sessions.refresh(ctx.bearer)
      return { token: pair.token, refresh_token: pair.refreshToken }
    }),
    endpoint(authRoutes.logout, async (ctx) => {
      const sessionId = sessionIdOf(ctx.principal)
      const leave = await deps.elsewhere?.leaveTo(sessionId, ctx.origin)
      await deps.sessions.end(sessionId, ctx.principal.id, 'signed-out')
      return leave === undefined ? {} : { leaveTo: leave }
    }),
    endpoint(authRoutes.logoutEverywhere, async (ctx) => {
      const sessions = await deps.sessions.endAllOf(ctx.principal.id, 'elsewhere')
      deps.users.bus.publish('user.revoked', { userId: ctx.principal.id, reason: 'elsewhere' })
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
    endpoint(authRoutes.emailVerification, (ctx, { body }) => sendSignInCode(deps, ctx, body)),
    endpoint(authRoutes.legacy, async (ctx, { body }) => ({
      result: 0,
      account: await accountOfEmail(deps, ctx, body.email),
    })),
    endpoint(authRoutes.resetSend, (ctx, { body }) => sendResetCode(deps, ctx, body)),
    endpoint(authRoutes.resetVerify, async (_ctx, { query }) => ({ passToken: await verifyResetCode(deps, query) })),
    endpoint(authRoutes.resetSet, async (_ctx, { body }) => {
      await resetPassword(deps, body)
      return {}
    }),
    endpoint(authRoutes.openInvitation, async (ctx, { body }) => {
      const { account, name } = await openInvitation(deps, ctx, body.token)
      return { account, name }
    }),
    endpoint(authRoutes.acceptInvitation, (ctx, { body }) => acceptInvitation(deps, ctx, body)),
    endpoint(authRoutes.updateInfo, async (ctx, { body }) => {
      await changeProfile(deps, ctx, body)
      return {}
    }),
  ]
}
