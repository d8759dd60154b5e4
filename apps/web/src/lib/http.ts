import type { Failure, RouteSpec } from '@godwit/contract'
import type { z } from 'zod'
import { ERRORS, type ErrorName, errorByWire } from '@godwit/contract/errors/catalogue'
import { LIMITS } from '@godwit/contract/limits'
import type { SessionStore } from './session.ts'
import { takeTurns } from './take-turns.ts'

/** The server refused a call with a code of the catalogue. */
export class ApiFailure extends Error {
  readonly code: number
  readonly data: Readonly<Record<string, unknown>>

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'ApiFailure'
    this.code = failure.code
    this.data = failure.data ?? {}
  }

  is(name: ErrorName): boolean {
    return errorByWire(this.code) === name
  }
}

/** No answer, or one that is no envelope: the network, a proxy, or a server that is starting. */
export class Unreachable extends Error {
  constructor(options?: ErrorOptions) {
    super('the server cannot be reached', options)
    this.name = 'Unreachable'
  }
}

export function isFailure(error: unknown, name: ErrorName): boolean {
  return error instanceof ApiFailure && error.is(name)
}

type Body<Spec extends RouteSpec> = Spec extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : undefined
type Reply<Spec extends RouteSpec> = z.infer<Spec['reply']>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Bearer token in place of the session's. */
  readonly token?: string
  /** Nobody asked for it: does not count as activity of the session. */
  readonly quiet?: boolean
}

export interface Api {
  /** @throws ApiFailure, Unreachable */
  call<Spec extends RouteSpec>(
    route: { readonly method: Spec['method']; readonly path: string },
    body: Body<Spec>,
    options?: CallOptions,
  ): Promise<Reply<Spec>>
  /** Headers of a signed-in call, for carriers other than fetch. */
  headers(token?: string): Record<string, string>
  /** Called with every refusal, whatever carried it: ends the session when its token is no longer valid. */
  noteFailure(error: unknown, usedToken: string | undefined): void
}

export interface ApiDeps {
  readonly session: SessionStore
  readonly locale: () => string
}

export function createApi({ session, locale }: ApiDeps): Api {
  const headers = (token = session.get()?.token): Record<string, string> => ({
    'accept-language': locale(),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  })
  const noteFailure = (error: unknown, usedToken: string | undefined): void => {
    // Another tab may have renewed the pair in between: then only this call is stale, not the session.
    const isCurrent = (): boolean => usedToken !== undefined && session.get()?.token === usedToken
    if (!isCurrent() || !isFailure(error, 'TOKEN_INVALID')) return
    // A renewal under way has spent this token on the server and not yet told the page: look again after it.
    void takeTurns(async () => {
      if (isCurrent()) session.end('expired')
    })
  }
  return {
    headers,
    noteFailure,
    async call(route, body, { signal, token, quiet = false } = {}) {
      const used = token ?? session.get()?.token
      const limit = AbortSignal.timeout(LIMITS.requestTimeoutMs)
      try {
        const response = await send(
          route,
          body,
          { ...headers(used), ...(quiet ? { 'x-no-refresh': '1' } : {}) },
          signal === undefined ? limit : AbortSignal.any([signal, limit]),
        )
        return (await dataOf(response)) as never
      } catch (error) {
        if (signal?.aborted === true) throw error
        if (token === undefined) noteFailure(error, used)
        throw error
      }
    },
  }
}

async function send(
  { method, path }: { readonly method: string; readonly path: string },
  body: unknown,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const contentType: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  try {
    return await fetch(path, { method, headers: { ...headers, ...contentType }, signal, ...json })
  } catch (error) {
    throw signal.aborted && !isTimeout(signal.reason) ? error : new Unreachable({ cause: error })
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

async function dataOf(response: Response): Promise<unknown> {
  return envelopeData(await response.text(), response.ok)
}

/**
 * Reads the one envelope of the wire.
 * @throws ApiFailure for a refusal, Unreachable for anything that is no envelope
 */
export function envelopeData(text: string, ok: boolean): unknown {
  const envelope = parsed(text)
  if (envelope === undefined) throw new Unreachable({ cause: text.slice(0, 200) })
  if (ok && envelope.code === 200) return envelope.data
  throw new ApiFailure(envelope as Failure)
}

function parsed(text: string): { readonly code: number; readonly data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isEnvelope = typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number'
    return isEnvelope ? (value as { code: number }) : undefined
  } catch {
    return undefined // A proxy's error page, or an answer cut off.
  }
}

/** True when the same call may succeed by itself after a while. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  if (!(error instanceof ApiFailure)) return false
  const name = errorByWire(error.code)
  const spec: { retry: string } | undefined = name === undefined ? undefined : ERRORS[name]
  return spec !== undefined && (spec.retry === 'later' || spec.retry === 'now')
}
