import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@godwit/base'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Ctx, Log } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange, RequestBytes } from '../../kernel/endpoint.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { noteFailure, sendFailure } from './answers.ts'
import { anonymousCaller, type ContextFactory } from './context.ts'
import { requireAccess } from './access.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { matchSegments } from './route-path.ts'

interface RawRouterDeps {
  readonly endpoints: readonly RawEndpoint[]
  readonly contextOf: ContextFactory
  readonly crossOrigin: CrossOrigin
  readonly licence: Pick<Licence, 'requireFeature'>
  readonly log: Log
  readonly metrics: Metrics
  readonly clock: Clock
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
export function createRawRouter({ endpoints, ...deps }: RawRouterDeps): RawRouter {
  const { contextOf, crossOrigin, licence, log, metrics, clock } = deps
  const routes = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.spec.path.split('/') }))

  /** Whatever answers GET answers HEAD, without the bytes. */
  function matching(req: IncomingMessage, path: string): Match | undefined {
    const find = (method: string): Match | undefined => matchOne(req, method, path.split('/'))
    return find(req.method ?? '') ?? (req.method === 'HEAD' ? find('GET') : undefined)
  }

  function matchOne(req: IncomingMessage, method: string, parts: readonly string[]): Match | undefined {
    for (const { endpoint, segments } of routes) {
      if (endpoint.spec.method !== method || endpoint.takes?.(req) === false) continue
      const params = matchSegments(segments, parts)
      if (params) return { endpoint, params }
    }
    return undefined
  }

  function matchOf(req: IncomingMessage): (Match & { readonly query: URLSearchParams }) | undefined {
    const url = req.url ?? ''
    const at = url.includes('?') ? url.indexOf('?') : url.length
    const match = matching(req, url.slice(0, at))
    return match && { ...match, query: new URLSearchParams(url.slice(at + 1)) }
  }

  async function answer({ spec, isForeign, handle }: RawEndpoint, exchange: RawExchange): Promise<void> {
    const { req, res } = exchange
    let ctx: Ctx | undefined
    try {
      if (isForeign !== true) crossOrigin.require(req, res, spec.access)
      ctx = await contextOf(req, res)
      requireAccess(spec.access, ctx)
      if (spec.feature !== undefined) await licence.requireFeature(spec.feature)
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
      const begun = clock.monotonic()
      res.once('close', () => {
        const seconds = (clock.monotonic() - begun) / 1000
        metrics.answered({ method: req.method ?? '', route: endpoint.spec.path, status: res.statusCode, seconds })
      })
      void answer(endpoint, { req, res, params, query, body: bodyOf(req) })
      return true
    },
  }
}
