import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OperationSpec, RouteSpec } from '@godwit/contract'
import type { z } from 'zod'
import type { Ctx, UserCtx } from './context.ts'

type Parsed<Spec, Part extends string> = Spec extends { readonly [P in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined

export interface EndpointInput<Spec extends RouteSpec> {
  readonly params: Parsed<Spec, 'params'>
  readonly query: Parsed<Spec, 'query'>
  readonly body: Parsed<Spec, 'body'>
}

type CtxOf<Spec extends RouteSpec> = Spec['access'] extends 'user' | 'session' | 'admin' ? UserCtx : Ctx

/** One JSON route: contract and what answers it. Edges mount it; features define it. */
export interface Endpoint {
  readonly spec: RouteSpec
  readonly handle: (ctx: Ctx, input: never) => Promise<unknown>
}

export function endpoint<Spec extends RouteSpec>(
  spec: Spec,
  handle: (ctx: CtxOf<Spec>, input: EndpointInput<Spec>) => Promise<z.input<Spec['reply']>>,
): Endpoint {
  return { spec, handle: handle as Endpoint['handle'] }
}

export interface RawExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Path parameters, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/**
 * A route that streams bytes and is taken from the socket before the web framework: no body parser, no copies.
 * The handler writes its answer itself, or throws an AppError before it began to write.
 */
export interface RawEndpoint {
  readonly spec: Pick<RouteSpec, 'method' | 'path' | 'access'>
  readonly handle: (ctx: Ctx, exchange: RawExchange) => Promise<void>
}

/** One file operation: defined once, served by the file socket and by HTTP. */
export interface Operation {
  readonly spec: OperationSpec
  readonly handle: (ctx: UserCtx, input: never) => Promise<unknown>
}

export function operation<Spec extends OperationSpec>(
  spec: Spec,
  handle: (ctx: UserCtx, input: z.output<Spec['input']>) => Promise<z.input<Spec['reply']>>,
): Operation {
  return { spec, handle }
}
