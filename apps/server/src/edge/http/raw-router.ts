import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx, Log } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange } from '../../kernel/endpoint.ts'
import { noteFailure, sendFailure } from './answers.ts'
import { anonymousCaller, type ContextFactory } from './context.ts'
import { requireAccess } from './access.ts'
import { requireSameOrigin } from './origin.ts'

interface RawRouterDeps {
  readonly endpoints: readonly RawEndpoint[]
  readonly contextOf: ContextFactory
  readonly log: Log
}

interface Match {
  readonly endpoint: RawEndpoint
  readonly params: Readonly<Record<string, string>>
}

/**
 * Takes byte-streaming requests straight from the socket. A path matches segment by segment after one percent-decoding,
 * or not at all; what does not match exactly goes on to the web framework, which knows no such route.
 * @returns true when the request was taken
 */
export function createRawRouter({ endpoints, contextOf, log }: RawRouterDeps) {
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

  return function route(req: IncomingMessage, res: ServerResponse): boolean {
    const url = req.url ?? ''
    const at = url.includes('?') ? url.indexOf('?') : url.length
    const [path, search] = [url.slice(0, at), url.slice(at + 1)]
    const match = find(req.method ?? '', path)
    if (!match) return false
    void answer(match.endpoint, { req, res, params: match.params, query: new URLSearchParams(search) })
    return true
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
      if (ctx?.signal.aborted === true) return
      const caller = ctx ?? anonymousCaller(req)
      sendFailure(res, caller, noteFailure(log, caller, thrown))
    }
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
