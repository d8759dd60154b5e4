import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { randomHex, type Random } from '@godwit/base'
import { pickLocale } from '@godwit/i18n'
import type { Authenticator, Ctx, OwnCredentials } from '../../kernel/context.ts'
import { admittedFrom } from '../../identity/principals/index.ts'
import type { ClientAddresses } from './client-address.ts'

export interface ContextDeps {
  /** Whoever no feature recognizes by the prefix of the credential. */
  readonly authenticator: Authenticator
  /** Of the features; asked at each request, because they are known once all features are. */
  readonly ownCredentials?: () => readonly OwnCredentials[]
  readonly random: Random
  readonly addresses: ClientAddresses
  /** Refuses addresses that may not reach the site. */
  readonly requireAddress?: (address: string) => Promise<void>
}

/** A response, or the bare socket of an upgrade. */
type Answering = Pick<ServerResponse, 'once' | 'writableFinished'> | Pick<Duplex, 'once' | 'writableFinished'>

/** A request with this header does not count as activity of its session. */
const NO_REFRESH_HEADER = 'x-no-refresh'

/** What the sign-in page needs to be drawn: it tells the reason once somebody signs in. */
const OPEN_TO_ALL: ReadonlySet<string | undefined> = new Set(['/api/website/info', '/api/service/info'])

export function createContextFactory(deps: ContextDeps) {
  const { authenticator, ownCredentials = () => [], random, addresses, requireAddress } = deps

  function authenticatorOf(bearer: string): Authenticator {
    return ownCredentials().find(({ prefix }) => bearer.startsWith(prefix)) ?? authenticator
  }

  /** Builds the context of a request; the credential is checked, what it allows is not. */
  return async function contextOf(req: IncomingMessage, res: Answering): Promise<Ctx> {
    const bearer = bearerOf(req.headers.authorization)
    const touch = req.headers[NO_REFRESH_HEADER] === undefined
    // Before the first wait: the caller may go away during it, and its address with it.
    const signal = abortOnClose(res)
    const address = addresses.of(req)
    if (!OPEN_TO_ALL.has(req.url)) await requireAddress?.(address)
    const known = bearer === undefined ? undefined : await authenticatorOf(bearer).authenticate(bearer, touch)
    return {
      requestId: randomHex(random, 8),
      principal: known && admittedFrom(known, address),
      door: isPage(req) ? 'page' : 'http',
      locale: pickLocale(req.headers['accept-language']),
      address,
      userAgent: req.headers['user-agent'] ?? '',
      origin: req.headers.origin,
      bearer,
      signal,
    }
  }
}

/** Browsers say so; whoever else says it only mislabels its own events. */
function isPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

export type ContextFactory = ReturnType<typeof createContextFactory>

/** Who is answered when not even the context could be made, for instance without a database. */
export function anonymousCaller(req: IncomingMessage): Pick<Ctx, 'requestId' | 'locale'> {
  return { requestId: '-', locale: pickLocale(req.headers['accept-language']) }
}

export function bearerOf(header: string | undefined): string | undefined {
  const match = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(header ?? '')
  return match?.[1]
}

function abortOnClose(res: Answering): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('the caller went away'))
  })
  return controller.signal
}
