import { securityRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { createApiToken, listApiTokens, removeApiToken } from '../api-tokens/index.ts'
import { guardGuess, needsSecondFactor, signInHistory, sourceOf } from '../auth/index.ts'
import {
  beginLogin,
  beginRegistration,
  finishRegistration,
  listPasskeys,
  relyingParty,
  removePasskey,
  renamePasskey,
} from '../passkeys/index.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../second-factor/index.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  loginByPasskey,
  ownAccount,
  provenAccount,
  twiceProvenAccount,
  type SecurityDeps,
} from './security.service.ts'
import { beginSetUp, finishSetUp } from './set-up.service.ts'

export function securityEndpoints(deps: SecurityDeps): Endpoint[] {
  return [...sessionEndpoints(deps), ...secondFactorEndpoints(deps), ...passkeyEndpoints(deps), ...tokenEndpoints(deps)]
}

function sessionEndpoints(deps: SecurityDeps): Endpoint[] {
  return [
    endpoint(securityRoutes.sessions, async (ctx) => ({ sessions: await listSessions(deps, ctx) })),
    endpoint(securityRoutes.endSession, async (ctx, { body }) => {
      await endSession(deps, ctx, body.sessionId)
      return {}
    }),
    endpoint(securityRoutes.endOtherSessions, async (ctx) => ({ sessions: await endOtherSessions(deps, ctx) })),
    endpoint(securityRoutes.signIns, ({ principal }, { query }) => signInHistory(deps.auth.db, principal.id, query)),
  ]
}

function secondFactorEndpoints(deps: SecurityDeps): Endpoint[] {
  const { auth } = deps
  return [
    endpoint(securityRoutes.secondFactor, async (ctx) => ({
      totp: await hasSecondFactor(auth, ctx.principal.id),
      required: await needsSecondFactor(auth, await ownAccount(deps, ctx)),
      recoveryCodesLeft: await recoveryCodesLeft(auth, ctx.principal.id),
      passkeys: (await listPasskeys(auth, ctx.principal.id)).length,
    })),
    endpoint(securityRoutes.beginTotp, async (ctx, { body }) => {
      const user = await provenAccount(deps, ctx, body.password)
      return beginSecondFactor(auth, user, await deps.siteName())
    }),
    endpoint(securityRoutes.confirmTotp, async ({ principal }, { body }) => ({
      recoveryCodes: await guardGuess(auth, principal.id, () => confirmSecondFactor(auth, principal.id, body.code)),
    })),
    endpoint(securityRoutes.removeTotp, async (ctx, { body }) => {
      if (await needsSecondFactor(auth, await ownAccount(deps, ctx))) throw new AppError('SECOND_FACTOR_KEPT')
      await removeSecondFactor(auth, (await twiceProvenAccount(deps, ctx, body)).id)
      return {}
    }),
    endpoint(securityRoutes.beginTotpSetUp, (ctx, { body }) => beginSetUp(deps, ctx, body.setUp)),
    endpoint(securityRoutes.setUpTotp, (ctx, { body }) => finishSetUp(deps, ctx, body)),
    endpoint(securityRoutes.renewRecoveryCodes, async (ctx, { body }) => ({
      recoveryCodes: await renewRecoveryCodes(auth, (await twiceProvenAccount(deps, ctx, body)).id),
    })),
  ]
}

function passkeyEndpoints(deps: SecurityDeps): Endpoint[] {
  const { passkeys, publicUrl } = deps
  return [
    endpoint(securityRoutes.passkeys, async ({ principal }) => ({
      passkeys: await listPasskeys(passkeys, principal.id),
    })),
    endpoint(securityRoutes.beginPasskey, async (ctx, { body }) => {
      const site = relyingParty(publicUrl, ctx.origin)
      const user = await provenAccount(deps, ctx, body.password)
      return { options: { ...(await beginRegistration(passkeys, user, { site, siteName: await deps.siteName() })) } }
    }),
    endpoint(securityRoutes.finishPasskey, async (ctx, { body }) => {
      const site = relyingParty(publicUrl, ctx.origin)
      return { passkey: await finishRegistration(passkeys, await ownAccount(deps, ctx), { ...body, site }) }
    }),
    endpoint(securityRoutes.renamePasskey, async ({ principal }, { body: { passkeyId, name } }) => {
      await renamePasskey(passkeys, principal.id, { id: passkeyId, name })
      return {}
    }),
    endpoint(securityRoutes.removePasskey, async (ctx, { body }) => {
      await removePasskey(passkeys, (await provenAccount(deps, ctx, body.password)).id, body.passkeyId)
      return {}
    }),
    endpoint(securityRoutes.beginPasskeyLogin, async (ctx) => {
      await deps.passkeyLogins.take(sourceOf(ctx.address))
      const { challengeId, options } = await beginLogin(passkeys, relyingParty(publicUrl, ctx.origin))
      return { challengeId, options: { ...options } }
    }),
    endpoint(securityRoutes.finishPasskeyLogin, (ctx, { body }) => loginByPasskey(deps, ctx, body)),
  ]
}

function tokenEndpoints(deps: SecurityDeps): Endpoint[] {
  const tokens = { ...deps.auth, ids: deps.ids }
  return [
    endpoint(securityRoutes.apiTokens, async ({ principal }) => ({
      tokens: await listApiTokens(tokens, principal.id),
    })),
    endpoint(securityRoutes.createApiToken, async (ctx, { body: { password, ...wanted } }) =>
      createApiToken(tokens, await provenAccount(deps, ctx, password), wanted),
    ),
    endpoint(securityRoutes.removeApiToken, async ({ principal }, { body }) => {
      await removeApiToken(tokens, principal.id, body.tokenId)
      return {}
    }),
  ]
}
