import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsoleAccess, OperationSpec, RouteSpec } from '@godwit/contract'
import type { BlockLender } from '@godwit/storage'
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

type CtxOf<Spec extends RouteSpec> = Spec['access'] extends 'user' | 'session' | ConsoleAccess ? UserCtx : Ctx

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

/** The bytes that come with a request, read at the speed of whoever takes them: a source that a store may lend memory to. */
export interface RequestBytes extends AsyncIterableIterator<Uint8Array> {
  fillFrom(lender: BlockLender): void
  /**
   * Nobody takes any more: what the sender still has on the way is thrown away for a moment, so that it reads the answer, and
   * then cut. To be called when all that was taken is done with; memory that was lent for it goes back.
   */
  close(): void
}

export interface RawExchange {
  /** Its bytes are in `body`. */
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly body: RequestBytes
  /** Path parameters, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** Protocols have methods of their own; `*` at the end of a path stands for all below it, as it was sent. */
export interface RawSpec extends Pick<RouteSpec, 'path' | 'access' | 'feature'> {
  readonly method: string
}

/**
 * A route that streams bytes and is taken from the socket before the web framework: no body parser, no copies.
 * The handler writes its answer itself, or throws an AppError before it began to write.
 */
export interface RawEndpoint {
  readonly spec: RawSpec
  /** Whether it takes a request to its path; what it leaves goes to whatever else answers there. Left out: every one. */
  readonly takes?: (req: Pick<IncomingMessage, 'headers'>) => boolean
  /** Pages of other sites post here by design, such as an identity provider's; what they bring has to prove itself. */
  readonly isForeign?: boolean
  /** Big bodies are common here: they may be read from the connection itself. */
  readonly takesBytes?: boolean
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
