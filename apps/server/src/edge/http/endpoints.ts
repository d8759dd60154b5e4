import { operationPath, type RouteSpec } from '@godwit/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Ctx, Log, UserCtx } from '../../kernel/context.ts'
import type { Endpoint, Operation } from '../../kernel/endpoint.ts'
import { AppError, failureBody } from '../../kernel/errors.ts'
import { noteFailure, retryAfter, SECURITY_HEADERS } from './answers.ts'
import { anonymousCaller, type ContextFactory } from './context.ts'
import { requireAccess } from './access.ts'
import { requireSameOrigin } from './origin.ts'

interface MountDeps {
  readonly fastify: FastifyInstance
  readonly contextOf: ContextFactory
  readonly log: Log
}

/** Mounts contract routes: authorise in the matched route itself, parse, call, answer with the envelope. */
export function mountEndpoints(deps: MountDeps, endpoints: readonly Endpoint[]): void {
  for (const { spec, handle } of endpoints) {
    deps.fastify.route({
      method: spec.method,
      url: spec.path,
      schema: { response: { 200: envelopeSchema(spec.reply) } },
      handler: (request, reply) =>
        answer(deps, { request, reply }, async (ctx) => {
          requireAccess(spec.access, ctx)
          return handle(ctx, parseInput(spec, request) as never)
        }),
    })
  }
}

/** Mounts the file operations' HTTP carrier: `POST /api/files/{operation}`. */
export function mountOperations(deps: MountDeps, operations: readonly Operation[]): void {
  for (const { spec, handle } of operations) {
    deps.fastify.route({
      method: 'POST',
      url: operationPath(spec.name),
      schema: { response: { 200: envelopeSchema(spec.reply) } },
      handler: (request, reply) =>
        answer(deps, { request, reply }, async (ctx) => {
          requireAccess('user', ctx)
          return handle(ctx as UserCtx, parse(spec.input, request.body) as never)
        }),
    })
  }
}

async function answer(
  { contextOf, log }: MountDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  work: (ctx: Ctx) => Promise<unknown>,
): Promise<FastifyReply> {
  let ctx: Ctx | undefined
  try {
    // Before the credential is looked up, because that look notes activity of the session.
    requireSameOrigin(request.raw)
    ctx = await contextOf(request.raw, reply.raw)
    const data = await work(ctx)
    return await reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-store' }).send({ code: 200, data })
  } catch (thrown) {
    const caller = ctx ?? anonymousCaller(request.raw)
    const error = noteFailure(log, caller, thrown)
    return reply
      .code(error.status)
      .headers({
        ...SECURITY_HEADERS,
        'cache-control': 'no-store',
        'x-request-id': caller.requestId,
        ...retryAfter(error),
      })
      .send(failureBody(caller, error))
  }
}

function parseInput(spec: RouteSpec, request: FastifyRequest) {
  return {
    params: spec.params && parse(spec.params, request.params),
    query: spec.query && parse(spec.query, request.query),
    body: spec.body && parse(spec.body, request.body),
  }
}

/** @throws AppError PARAMETER_INVALID naming the field and the rule */
export function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new AppError('PARAMETER_INVALID', { field: issue?.path.join('.') ?? '', rule: issue?.message ?? '' })
}

function envelopeSchema(reply: z.ZodType) {
  const envelope = z.object({ code: z.literal(200), data: reply })
  const { $schema: _dialect, ...schema } = z.toJSONSchema(envelope, { io: 'output', unrepresentable: 'any' })
  return schema
}
