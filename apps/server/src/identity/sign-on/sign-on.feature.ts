import { signOnRoutes as routes, type LoginReply } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { endpoint, type RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { openSession, sourceOf, type AuthDeps } from '../auth/index.ts'
import { sessionIdOf } from '../principals/index.ts'
import { beginSignOn, finishSignOn, keepSession, sessionsEndedBy, type SignOnDeps } from '../providers/index.ts'
import { formOf } from './form-body.ts'
import { samlDoors } from './saml.doors.ts'
import { rememberLanguage, requireUsable } from '../users/index.ts'

/** Of one address; offices share addresses. */
const BEGINS = { name: 'sign-on.begins', calls: 60, periodMs: 60_000 } as const
const NOTICES = { name: 'sign-on.notices', calls: 300, periodMs: 60_000 } as const
const NOTICE_MAX_BYTES = 16 * 1024

interface Deps {
  readonly auth: AuthDeps
  readonly signOn: SignOnDeps
  readonly publicUrl: string
  readonly begins: CallLimit
  readonly notices: CallLimit
}

/** Sign-ins at an identity provider, and sessions that end with the one there. */
export function signOnFeature(kernel: Kernel, auth: AuthDeps): Feature {
  const { config, limits } = kernel
  const signOn = { ...kernel, outbound: createOutbound(config['outbound.allow']) }
  const deps: Deps = {
    ...{ auth, signOn, publicUrl: config.publicUrl },
    ...{ begins: limits.callLimit(BEGINS), notices: limits.callLimit(NOTICES) },
  }
  return defineFeature({
    name: 'sign-on',
    endpoints: [
      endpoint(routes.begin, async (ctx, { body }) => {
        await deps.begins.take(sourceOf(ctx.address))
        return beginSignOn(signOn, { ...body, origin: originOf(deps, ctx) })
      }),
      endpoint(routes.finish, (ctx, { body }) => finish(deps, ctx, body)),
    ],
    raw: [noticed(deps), ...samlDoors(deps)],
  })
}

/**
 * The configured address decides; only without one that of the page that asks, which the edge has compared with the host of
 * the request. The provider has a list of addresses of its own besides.
 */
function originOf({ publicUrl }: Deps, { origin }: Ctx): string {
  const text = publicUrl === '' ? (origin ?? '') : publicUrl
  if (!URL.canParse(text)) throw new AppError('PARAMETER_INVALID', { field: 'origin' })
  return new URL(text).origin
}

/** The provider has asked for what it wants to know, so nothing more is asked here. */
async function finish(
  { auth, signOn }: Deps,
  ctx: Ctx,
  wanted: { readonly key: string; readonly answer: string },
): Promise<LoginReply> {
  const { user, providerId, arrival } = await finishSignOn(signOn, wanted)
  requireUsable(user, auth.clock.now())
  const reply = await openSession(auth, ctx, user, 'sign-on')
  const principal = await auth.sessions.authenticate(reply.token, false)
  if (principal !== undefined) {
    const { person, session, leave } = arrival
    const named = { session_id: sessionIdOf(principal), provider_id: providerId, external_key: person.key }
    await keepSession(auth, { ...named, external_session: session, proven_at: auth.clock.now() }, leave)
  }
  await rememberLanguage(auth.db, user.id, ctx.locale)
  return reply
}

/** Providers send a form, and no page of this site does. */
function noticed({ auth, signOn, notices }: Deps): RawEndpoint {
  return {
    spec: routes.ended,
    async handle(ctx, { res, body }) {
      await notices.take(sourceOf(ctx.address))
      const notice = (await formOf(body, NOTICE_MAX_BYTES)).get('logout_token') ?? ''
      for (const { id, userId } of await sessionsEndedBy(signOn, notice))
        await auth.sessions.end(id, userId, 'elsewhere')
      res.writeHead(200, { 'cache-control': 'no-store', 'content-length': 0 })
      res.end()
    },
  }
}
