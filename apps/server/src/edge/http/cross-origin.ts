import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteSpec } from '@godwit/contract'
import type { RawSpec } from '../../kernel/endpoint.ts'
import { requireSameOrigin } from './origin.ts'
import { matchSegments } from './route-path.ts'

type Route = RawSpec

/** Which pages of other sites may call which routes. */
export interface CrossOrigin {
  /**
   * Lets a request of this site, of a program, or of an allowed site at an open route pass.
   * @throws AppError ORIGIN_REFUSED
   */
  require(req: IncomingMessage, res: ServerResponse, access: RouteSpec['access']): void
  /** Answers the question of a browser whether an allowed site may make a request. @returns false for any other request */
  preflight(req: IncomingMessage, res: ServerResponse): boolean
}

/**
 * Uploads, downloads and file operations are open: they go by a bearer token, which no browser sends by itself. What manages an
 * account, and the sign-in, stay with the site's own pages.
 */
const OPEN: ReadonlySet<RouteSpec['access']> = new Set(['transfer', 'user', 'guest'])

const PREFLIGHT_SECONDS = 7_200
const REQUEST_HEADERS = [
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Range',
  'Tus-Resumable',
  'Upload-Checksum',
  'Upload-Concat',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-HTTP-Method-Override',
  'X-Part-Hash',
  'X-Request-ID',
  'X-Requested-With',
]
const ANSWER_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'Tus-Checksum-Algorithm',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Concat',
  'Upload-Defer-Length',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-Request-Id',
  'X-Upload-Grant',
]

/** @param allowed exact origins, such as `https://www.example.org`; none: no site but this one */
export function createCrossOrigin(allowed: readonly string[], routes: readonly Route[]): CrossOrigin {
  const origins = new Set(allowed)
  const open = routes
    .filter(({ access }) => OPEN.has(access))
    .map(({ method, path }) => ({ method, segments: path.split('/') }))

  function isAllowed(req: IncomingMessage): boolean {
    return req.headers.origin !== undefined && origins.has(req.headers.origin)
  }

  function isOpen(method: string | undefined, url: string): boolean {
    const parts = (url.split('?')[0] ?? '').split('/')
    const isMethod = (known: string): boolean => known === method || (known === 'GET' && method === 'HEAD')
    return open.some((route) => isMethod(route.method) && matchSegments(route.segments, parts) !== undefined)
  }

  return {
    require(req, res, access) {
      if (!OPEN.has(access) || !isAllowed(req)) return requireSameOrigin(req)
      res.setHeader('access-control-allow-origin', req.headers.origin ?? '')
      res.setHeader('access-control-expose-headers', ANSWER_HEADERS.join(', '))
      res.setHeader('vary', 'Origin')
    },
    preflight(req, res) {
      const method = req.headers['access-control-request-method']
      if (req.method !== 'OPTIONS' || !isAllowed(req) || !isOpen(method, req.url ?? '')) return false
      res.writeHead(204, {
        'access-control-allow-origin': req.headers.origin ?? '',
        'access-control-allow-methods': method ?? '',
        'access-control-allow-headers': REQUEST_HEADERS.join(', '),
        'access-control-max-age': String(PREFLIGHT_SECONDS),
        vary: 'Origin, Access-Control-Request-Method',
      })
      res.end()
      return true
    },
  }
}
