import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx, Log } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange, RequestBytes } from '../../kernel/endpoint.ts'
import { noteFailure, sendFailure } from './answers.ts'
import { anonymousCaller, type ContextFactory } from './context.ts'
import { requireAccess } from './access.ts'
import { requireSameOrigin } from './origin.ts'

interface RawRouterDeps {
  readonly endpoints: readonly RawEndpoint[]
  readonly contextOf: ContextFactory
  readonly log: Log
}

export interface RawRouter {
  /** Whether a request is for a route that takes big bodies. */
  takesBytes(req: IncomingMessage): boolean
  /** @param bodyOf asked for the bytes of a request that is taken @returns true when it was taken */
  route(req: IncomingMessage, res: ServerResponse, bodyOf: (req: IncomingMessage) => RequestBytes): boolean
}

interface Match {
  readonly endpoint: RawEndpoint
  readonly params: Readonly<Record<string, string>>
}

/**
 * Takes byte-streaming requests straight from the socket. A path matches segment by segment after one percent-decoding,
 * or not at all; what does not match exactly goes on to the web framework, which knows no such route.
 */
export function createRawRouter({ endpoints, contextOf, log }: RawRouterDeps): RawRouter {
  const routes = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.spec.path.split('/') }))

  function find(method: string, path: string): Match | undefined {
    const parts = path.split('/')
    for (const { endpoint, segments } of routes) {
      if (endpoint.spec.method !== method || segments.length !== parts.length) continue
      const params = matchSegments(segments, parts)
      if (params) return { endpoint, params }
    }
    return undefined
  }

  function matchOf(req: IncomingMessage): (Match & { readonly query: URLSearchParams }) | undefined {
    const url = req.url ?? ''
    const at = url.includes('?') ? url.indexOf('?') : url.length
    const match = find(req.method ?? '', url.slice(0, at))
    return match && { ...match, query: new URLSearchParams(url.slice(at + 1)) }
  }

  async function answer({ spec, handle }: RawEndpoint, exchange: RawExchange): Promise<void> {
    const { req, res } = exchange
    let ctx: Ctx | undefined
    try {
      requireSameOrigin(req)
      ctx = await contextOf(req, res)
      requireAccess(spec.access, ctx)
      await handle(ctx, exchange)
    } catch (thrown) {
      const caller = ctx ?? anonymousCaller(req)
      const error = noteFailure(log, caller, thrown)
      if (ctx?.signal.aborted !== true) sendFailure(res, caller, error)
    }
  }

  return {
    takesBytes: (req) => matchOf(req)?.endpoint.takesBytes === true,
    route(req, res, bodyOf) {
      const match = matchOf(req)
      if (!match) return false
      const { endpoint, params, query } = match
      void answer(endpoint, { req, res, params, query, body: bodyOf(req) })
      return true
    },
  }
}

function matchSegments(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== part) return undefined
      continue
    }
    const value = decode(part)
    if (value === undefined || value === '') return undefined
    params[segment.slice(1)] = value
  }
  return params
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // Malformed percent-encoding names no route.
  }
}
