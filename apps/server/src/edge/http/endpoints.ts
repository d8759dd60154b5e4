import { operationPath, type OperationSpec, type RouteSpec } from '@godwit/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import type { Endpoint, Operation } from '../../kernel/endpoint.ts'
import { validInput } from '../../kernel/valid-input.ts'
import { admit, admittedCtx, type AdmissionDeps } from './admission.ts'
import { SECURITY_HEADERS } from './answers.ts'

const ANSWER_HEADERS = {
  ...SECURITY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

interface MountDeps extends AdmissionDeps {
  readonly fastify: FastifyInstance
}

interface Mounted extends Pick<RouteSpec, 'method' | 'path' | 'access' | 'feature' | 'reply'> {
  readonly work: (ctx: Ctx, request: FastifyRequest) => Promise<unknown>
}

/** Mounts contract routes: authorise in the matched route itself, parse, call, answer with the envelope. */
export function mountEndpoints(deps: MountDeps, endpoints: readonly Endpoint[]): void {
  for (const { spec, handle } of endpoints) {
    mount(deps, { ...spec, work: (ctx, request) => handle(ctx, parseInput(spec, request) as never) })
  }
}

/** Mounts the file operations' HTTP carrier: `POST /api/files/{operation}`. */
export function mountOperations(deps: MountDeps, operations: readonly Operation[]): void {
  for (const { spec, handle } of operations) {
    mount(deps, {
      ...operationRoute(spec),
      ...(spec.feature === undefined ? {} : { feature: spec.feature }),
      reply: spec.reply,
      work(ctx, request) {
        const input = validInput(spec.input, takeBody(request))
        const holder = { owner: ctx.principal?.id ?? '', signal: ctx.signal }
        return deps.memory.operations.run(holder, () => handle(ctx as UserCtx, input as never))
      },
    })
  }
}

/** Where an operation is served. */
export function operationRoute({ name }: Pick<OperationSpec, 'name'>) {
  return { method: 'POST', path: operationPath(name), access: 'user' } as const
}

function mount({ fastify, ...deps }: MountDeps, { method, path, reply, work, ...door }: Mounted): void {
  let write: Promise<Writer> | undefined
  fastify.route({
    method,
    url: path,
    onRequest: admit(deps, door),
    async handler(request: FastifyRequest, answer: FastifyReply) {
      const data = await work(admittedCtx(request), request)
      write ??= compileWriter(reply)
      const body = (await write)({ code: 200, data })
      return answer.headers(ANSWER_HEADERS).send(body)
    },
  })
}

function parseInput(spec: RouteSpec, request: FastifyRequest) {
  return {
    params: spec.params && validInput(spec.params, request.params),
    query: spec.query && validInput(spec.query, request.query),
    body: spec.body && validInput(spec.body, takeBody(request)),
  }
}

/** The body as it was parsed may be many times larger than what its schema lets through, so it must not outlive that check. */
function takeBody(request: FastifyRequest): unknown {
  const { body } = request
  request.body = undefined
  return body
}

type Writer = (envelope: { readonly code: 200; readonly data: unknown }) => string

/**
 * Writes an answer with the fields of its contract and no others. Compiled with the first answer of a route: a server has
 * hundreds of routes, and compiling them all would be a third of its start.
 */
async function compileWriter(reply: z.ZodType): Promise<Writer> {
  const { default: compile } = await import('fast-json-stringify')
  const envelope = z.object({ code: z.literal(200), data: reply })
  const { $schema: _dialect, ...schema } = z.toJSONSchema(envelope, { io: 'output', unrepresentable: 'any' })
  return compile(schema as Parameters<typeof compile>[0])
}
