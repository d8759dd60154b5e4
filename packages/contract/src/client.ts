import type { z } from 'zod'
import type { FileOperationName, OperationInput, OperationReply } from './content/files.ts'
import { LIMITS } from './limits.ts'
import { files } from './table/files.ts'
import { ApiError, serverUnavailable } from './wire/api-error.ts'
import type { RouteRef } from './wire/route-table.ts'
import type { RouteSpec } from './wire/route.ts'

/** What a query or path takes: optional where the schema has a default, typed as what the schema makes of it. */
type Wanted<Schema extends z.ZodType> = {
  [Key in keyof z.input<Schema>]: Key extends keyof z.output<Schema> ? z.output<Schema>[Key] : never
}

type Part<Spec, Key extends 'params' | 'query'> =
  Spec extends Readonly<Record<Key, infer Schema extends z.ZodObject>>
    ? object extends Wanted<Schema>
      ? { readonly [Name in Key]?: Wanted<Schema> }
      : { readonly [Name in Key]: Wanted<Schema> }
    : { readonly [Name in Key]?: never }

type BodyPart<Spec> = Spec extends { readonly raw: 'request' | 'both' }
  ? { readonly body: NonNullable<RequestInit['body']> }
  : Spec extends { readonly body: infer Schema extends z.ZodType }
    ? { readonly body: z.input<Schema> }
    : { readonly body?: never }

export type CallInput<Spec extends RouteSpec> = Part<Spec, 'params'> & Part<Spec, 'query'> & BodyPart<Spec>

/** What a route answers, by its entry in the table. */
export type RouteReply<Route> = Route extends RouteRef<infer Spec> ? z.output<Spec['reply']> : never

export interface ClientOptions {
  /** Origin and path prefix before `/api/…`, without a slash at the end; empty in a page. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Read before each call; undefined: call without credentials. */
  readonly token?: () => string | undefined
  /** `zh-CN` or `en-US`: the language of messages; read before each call. */
  readonly language?: () => string
  /** Default 90 s, for calls that neither send nor return bytes. */
  readonly timeoutMs?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Bearer token instead of the client's own; null: call without credentials. */
  readonly token?: string | null
  /** Does not count as activity of the session. */
  readonly quiet?: boolean
  /** Is sent even if the page closes meanwhile. */
  readonly keepalive?: boolean
}

export interface ApiClient {
  /** @returns the `data` of the answer. @throws ApiError; the reason of `signal` when aborted */
  call<Spec extends RouteSpec>(
    route: RouteRef<Spec>,
    input: CallInput<Spec>,
    options?: CallOptions,
  ): Promise<z.output<Spec['reply']>>
  /** For routes that answer bytes. The body belongs to the caller, who reads or cancels it. */
  stream<Spec extends RouteSpec>(
    route: RouteRef<Spec>,
    input: CallInput<Spec>,
    options?: CallOptions,
  ): Promise<Response>
  /** A file operation by the HTTP carrier. */
  operation<Name extends FileOperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: CallOptions,
  ): Promise<OperationReply<Name>>
}

/** What travels in the path, the query and the body. */
interface Outgoing {
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/** A typed client over the contract: what the page, the CLI, the tests and the desktop client call the server with. */
export function createClient(options: ClientOptions): ApiClient {
  async function send(target: RouteRef, input: Outgoing, call: CallOptions): Promise<Response> {
    const response = await options.fetch(options.baseUrl + routeAddress(target, input), request(target, input, call))
    if (response.ok) return response
    throw failure(response.status, parsed(await response.text()))
  }

  function request(target: RouteRef, { body }: Outgoing, call: CallOptions): RequestInit {
    const isRaw = target.raw === 'request' || target.raw === 'both'
    return {
      method: target.method,
      headers: headers(body === undefined ? undefined : isRaw ? 'application/octet-stream' : 'application/json', call),
      credentials: 'include',
      ...(call.keepalive === true ? { keepalive: true } : {}),
      ...deadline(target, call),
      ...(body === undefined
        ? {}
        : { body: isRaw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    }
  }

  /** Transfers of bytes may take any time: only JSON replies have a deadline. */
  function deadline(target: RouteRef, { signal }: CallOptions): Pick<RequestInit, 'signal'> {
    if (target.raw !== undefined) return signal === undefined ? {} : { signal }
    const timeout = AbortSignal.timeout(options.timeoutMs ?? LIMITS.requestTimeoutMs)
    return { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) }
  }

  function headers(contentType: string | undefined, call: CallOptions): Record<string, string> {
    const token = call.token === undefined ? options.token?.() : (call.token ?? undefined)
    return {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(options.language === undefined ? {} : { 'accept-language': options.language() }),
      ...(call.quiet === true ? { 'x-no-refresh': '1' } : {}),
      ...call.headers,
    }
  }

  async function call(target: RouteRef, input: Outgoing, settings: CallOptions = {}): Promise<unknown> {
    return withApiErrors(settings, async () => {
      const response = await send(target, input, settings)
      return envelopeData(response.status, await response.text())
    })
  }

  return {
    call: call as ApiClient['call'],
    stream: async (target, input, settings = {}) =>
      withApiErrors(settings, async () => send(target, input as Outgoing, settings)),
    operation: (async (name: FileOperationName, body: unknown, settings?: CallOptions) =>
      call({ method: 'POST', path: files[name].path }, { body }, settings)) as ApiClient['operation'],
  }
}

/** The path of a route with its parameters filled in and its query; a query value that is empty or undefined is left out. */
export function routeAddress({ path }: RouteRef, { params = {}, query = {} }: Outgoing): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]): [string, string] => [name, String(value)]),
  )
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

/** Turns what `fetch` throws into an ApiError, except the caller's own abort. */
async function withApiErrors<Result>(call: CallOptions, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError || call.signal?.aborted === true) throw error
    throw serverUnavailable({}, { cause: error })
  }
}

/**
 * Reads the one envelope of the wire.
 * @param status the HTTP status
 * @throws ApiError for a refusal, and for anything that is no envelope
 */
export function envelopeData(status: number, text: string): unknown {
  const envelope = parsed(text)
  if (status < 300 && isRecord(envelope) && envelope['code'] === 200) return envelope['data']
  throw failure(status, envelope)
}

/** A proxy may answer with a page of its own, or truncate the reply. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(status: number, envelope: unknown): ApiError {
  if (!isRecord(envelope) || typeof envelope['code'] !== 'number' || envelope['code'] === 200) {
    return serverUnavailable({ status, message: `HTTP ${status} without an envelope` })
  }
  const { code, message, data } = envelope
  return new ApiError({ code, status, message: String(message), data: isRecord(data) ? data : {} })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
