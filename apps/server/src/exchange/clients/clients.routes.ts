import { pipeline } from 'node:stream/promises'
import { CLIENT_PACKAGES, clientRoutes, type ClientPackage } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import { create as contentDisposition } from 'content-disposition'
import { parseRange } from '../../content/downloads/index.ts'
import type { ClientPackages } from '../../foundation/client-packages/index.ts'
import type { Tickets } from '../../identity/tickets/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { endpoint, type Endpoint, type RawEndpoint, type RawExchange } from '../../kernel/endpoint.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import type { Clients } from './clients.service.ts'

/** What a ticket for an installer opens. */
export interface PackageTicket {
  readonly principal: AccountPrincipal
  readonly type: ClientPackage
}

export interface ClientEndpointsDeps {
  readonly clients: Clients
  readonly packages: ClientPackages
  readonly tickets: Tickets<PackageTicket>
}

export function clientEndpoints({ clients, packages, tickets }: ClientEndpointsDeps): Endpoint[] {
  return [
    endpoint(clientRoutes.mine, async ({ principal }) => ({ client: await clients.viewOf(principal.id) })),
    endpoint(clientRoutes.setSpace, async ({ principal }, { body }) => ({
      success: await clients.setSpace(principal, body.spaceId),
    })),
    endpoint(clientRoutes.upgrade, async ({ principal }) => {
      await clients.upgrade(principal)
      return { success: true }
    }),
    endpoint(clientRoutes.release, async () => {
      const release = await packages.release()
      if (release === undefined) throw new AppError('CLIENT_PACKAGE_MISSING')
      return release
    }),
    endpoint(clientRoutes.packageTicket, async ({ principal }, { body: { type } }) => {
      if (!(await packages.present()).includes(type)) throw new AppError('CLIENT_PACKAGE_MISSING')
      const { ticket, expiresAt } = await tickets.issue({ principal, type })
      return { ticket, url: `/download/${type}?token=${ticket}`, expiresAt: Math.floor(expiresAt / 1000) }
    }),
  ]
}

export function clientRawEndpoints(deps: ClientEndpointsDeps): RawEndpoint[] {
  return [
    {
      spec: clientRoutes.package,
      async handle(ctx, exchange) {
        try {
          await sendPackage(deps, ctx, exchange)
        } catch (thrown) {
          const error = toAppError(thrown)
          // A person who followed a link sees a sentence; a program gets the envelope from the router.
          if (error.status >= 500 || !wantsPage(exchange)) throw thrown
          sendPage(ctx, exchange, error)
        }
      },
    },
  ]
}

/** @throws AppError ROUTE_NOT_FOUND, TICKET_INVALID, CLIENT_PACKAGE_MISSING, RANGE_INVALID */
async function sendPackage(
  deps: ClientEndpointsDeps,
  ctx: Ctx,
  { req, res, params, query }: RawExchange,
): Promise<void> {
  const type = CLIENT_PACKAGES.find((known) => known === params['type'])
  if (type === undefined) throw new AppError('ROUTE_NOT_FOUND')
  const ticket = await deps.tickets.redeem(query.get('token') ?? '')
  if (ticket.type !== type) throw new AppError('TICKET_INVALID')
  const found = await deps.packages.open(type)
  if (found === undefined) throw new AppError('CLIENT_PACKAGE_MISSING')
  const { filename, size, read, close } = found
  try {
    const wanted = parseRange(req.headers.range, size)
    if (wanted === 'none') {
      res.setHeader('content-range', `bytes */${size}`)
      throw new AppError('RANGE_INVALID', { size })
    }
    const span = wanted ?? { start: 0, end: size }
    res.writeHead(wanted === undefined ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': span.end - span.start,
      'content-disposition': contentDisposition(filename),
      'accept-ranges': 'bytes',
      ...(wanted === undefined ? {} : { 'content-range': `bytes ${span.start}-${span.end - 1}/${size}` }),
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cache-control': 'no-store',
    })
    if (req.method === 'HEAD' || size === 0) res.end()
    else await pipeline(read(span), res, { signal: ctx.signal })
  } finally {
    await close()
  }
}

function wantsPage({ req, res }: RawExchange): boolean {
  return !res.headersSent && (req.headers.accept ?? '').includes('text/html')
}

function sendPage({ locale }: Ctx, { res }: RawExchange, error: AppError): void {
  const text = errorText(locale, error.code)
  // Both come from our own catalogue; nothing of the request is shown.
  const page = `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><main><h1>${text}</h1><p>${error.wire}</p><p><a href="/">←</a></p></main></html>`
  res.writeHead(error.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  res.end(page)
}
