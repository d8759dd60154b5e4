import type { IncomingMessage } from 'node:http'
import { KiB, MiB } from '@godwit/base'
import type { RouteSpec } from '@godwit/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Licence } from '../../foundation/licence/index.ts'
import { sourceOf } from '../../identity/auth/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Lease, RequestMemory } from '../../kernel/request-memory.ts'
import { requireAccess } from './access.ts'
import type { ContextFactory } from './context.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { readJsonText } from './json-body.ts'

/** Nobody who has not proven who they are has more to say. */
const STRANGER_BODY_BYTES = 16 * KiB
/** 10,000 paths of a call fit; bytes of files never pass here. */
const KNOWN_BODY_BYTES = 8 * MiB
/** Shorter answers leave for the connection at once. */
const HELD_ANSWER_BYTES = 16 * KiB
/** Who has not taken an answer by then is cut. */
const ANSWER_MS = 120_000

/** What is known of a request before its body is read. */
interface Admitted {
  readonly ctx: Ctx
  readonly maxBodyBytes: number
  /** Of body and answer. */
  readonly lease: Lease
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until the caller is known, and on pages. */
    admitted: Admitted | undefined
  }
}

export interface AdmissionDeps {
  readonly contextOf: ContextFactory
  readonly memory: RequestMemory
  readonly crossOrigin: CrossOrigin
  readonly licence: Pick<Licence, 'requireFeature'>
}

/**
 * A hook that finds out who calls, from the headers alone, and whether they may. Only then is a body read: as much as such a
 * caller may send, out of the memory for callers of that kind.
 */
export function admit(
  { contextOf, memory, crossOrigin, licence }: AdmissionDeps,
  { access, feature }: Pick<RouteSpec, 'access' | 'feature'>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Before the credential is looked up, because that look notes activity of the session.
    crossOrigin.require(request.raw, reply.raw, access)
    const ctx = await contextOf(request.raw, reply.raw)
    const isKnown = ctx.principal !== undefined && access !== 'public'
    const lease = isKnown ? memory.calls.lease(ctx.principal.id) : memory.strangers.lease(sourceOf(ctx.address))
    reply.raw.once('close', () => lease.release())
    request.admitted = { ctx, lease, maxBodyBytes: isKnown ? KNOWN_BODY_BYTES : STRANGER_BODY_BYTES }
    requireAccess(access, ctx)
    await licence.requireFeature(feature)
  }
}

/** @throws Error on a route without {@link admit} */
export function admittedCtx(request: FastifyRequest): Ctx {
  if (request.admitted === undefined) throw new Error('a route without admission')
  return request.admitted.ctx
}

/** Makes the framework read JSON, and nothing else, within the limits of the caller, and hold large answers within them too. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.decorateRequest('admitted', undefined)
  const parse = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    // The body of a request that nobody answers is not read.
    if (request.admitted === undefined) throw new AppError('ROUTE_NOT_FOUND')
    const { lease, maxBodyBytes: maxBytes } = request.admitted
    const text = await readJsonText(payload, { lease, maxBytes })
    return new Promise((resolve, reject) => {
      void parse(request, text, (error, value) => (error === null ? resolve(value) : reject(error)))
    })
  })
  fastify.addHook('onSend', (request, reply, payload, done) => {
    try {
      if (typeof payload === 'string' && payload.length > HELD_ANSWER_BYTES) holdAnswer(request, reply, payload.length)
      done(null, payload)
    } catch (error) {
      done(error as AppError)
    }
  })
}

/** @throws AppError SERVER_BUSY */
function holdAnswer({ admitted }: FastifyRequest, { raw }: FastifyReply, bytes: number): void {
  if (admitted === undefined) return
  admitted.lease.grow(bytes)
  const timer = setTimeout(() => raw.destroy(), ANSWER_MS)
  raw.once('close', () => clearTimeout(timer))
}
