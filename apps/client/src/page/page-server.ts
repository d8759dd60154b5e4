import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type LocalClientAction, localClientAction, type LocalClientView, localLinkRequest } from '@godwit/contract'
import type { Door } from './door.ts'
import { PageError } from './page-error.ts'
import type { PageFiles } from './page-files.ts'

export interface PageDeps {
  readonly door: Door
  readonly files: PageFiles
  readonly view: () => Promise<LocalClientView>
  readonly act: (action: LocalClientAction) => Promise<void>
  /** A fault of the client itself, for its log. */
  readonly failed: (thrown: unknown) => void
  readonly signal: AbortSignal
}

const BODY_MAX = 64 * 1024
const LOOPBACK = '127.0.0.1'

/** Nothing inline, nothing foreign, and in no frame of another page. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Serves the page of the client to its own computer until it is stopped. @returns the origin of the page */
export async function servePage(deps: PageDeps): Promise<string> {
  let origin = ''
  const server = createServer((request, response) => void answer(deps, { origin, request, response }))
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  origin = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`
  deps.signal.addEventListener('abort', () => {
    server.close()
    server.closeAllConnections()
  })
  return origin
}

interface Exchange {
  readonly origin: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function answer(deps: PageDeps, exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  try {
    requireOwnOrigin(exchange)
    if (path.startsWith('/api/')) return sendJson(response, 200, { code: 200, data: await call(deps, path, request) })
    const file = request.method === 'GET' ? await deps.files.read(path) : undefined
    if (file === undefined) throw new PageError('ROUTE_NOT_FOUND')
    response.writeHead(200, { ...HEADERS, 'content-type': file.type }).end(file.bytes)
  } catch (thrown) {
    const refusal = thrown instanceof PageError ? thrown : new PageError('INTERNAL', { cause: thrown })
    if (refusal !== thrown) deps.failed(thrown)
    sendJson(response, refusal.status, { code: refusal.code, message: refusal.message })
  }
}

/**
 * A name that another site lets point to this computer brings that name as host, and a page of another site brings its origin.
 * @throws PageError
 */
function requireOwnOrigin({ origin, request: { headers, method } }: Exchange): void {
  const isOwnHost = `http://${headers.host}` === origin
  const isOwnOrigin = headers.origin === undefined ? true : headers.origin === origin
  // A link from elsewhere may open the page: without a token it is empty.
  const isOwnSite = method === 'GET' || ['same-origin', 'none', undefined].includes(siteOf(headers))
  if (!isOwnHost || !isOwnOrigin || !isOwnSite) throw new PageError('ORIGIN_REFUSED')
}

function siteOf(headers: IncomingMessage['headers']): string | undefined {
  const site = headers['sec-fetch-site']
  return typeof site === 'string' ? site : undefined
}

async function call(deps: PageDeps, path: string, request: IncomingMessage): Promise<unknown> {
  const { door } = deps
  const token = /^Bearer ([\da-f]{1,128})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const name = `${request.method} ${path}`
  if (name === 'POST /api/link') {
    if (!door.isKey(token)) throw new PageError('LOCAL_PAGE_CLOSED')
    const wanted = localLinkRequest.safeParse(await bodyOf(request))
    if (!wanted.success) throw new PageError('PARAMETER_INVALID', { cause: wanted.error })
    return { link: door.newLink(wanted.data.server) }
  }
  if (name === 'POST /api/open') {
    const opened = door.open(token)
    if (opened === undefined) throw new PageError('LOCAL_PAGE_CLOSED')
    return opened
  }
  if (!door.isPage(token)) throw new PageError('LOCAL_PAGE_CLOSED')
  if (name === 'GET /api/state') return deps.view()
  if (name !== 'POST /api/act') throw new PageError('ROUTE_NOT_FOUND')
  const action = localClientAction.safeParse(await bodyOf(request))
  if (!action.success) throw new PageError('PARAMETER_INVALID', { cause: action.error })
  await deps.act(action.data)
  return deps.view()
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type'] !== 'application/json') throw new PageError('CONTENT_TYPE_UNSUPPORTED')
  const length = Number(request.headers['content-length'] ?? Infinity)
  if (length > BODY_MAX) throw new PageError('BODY_TOO_LARGE')
  return json(request).catch((thrown: unknown) => {
    throw new PageError('PARAMETER_INVALID', { cause: thrown })
  })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body))
}
