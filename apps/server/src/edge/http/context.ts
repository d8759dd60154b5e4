import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { randomHex, type Random } from '@godwit/base'
import { pickLocale } from '@godwit/i18n'
import type { Authenticator, Ctx } from '../../kernel/context.ts'
import type { ClientAddresses } from './client-address.ts'

export interface ContextDeps {
  readonly authenticator: Authenticator
  readonly random: Random
  readonly addresses: ClientAddresses
}

/** A response, or the bare socket of an upgrade. */
type Answering = Pick<ServerResponse, 'once' | 'writableFinished'> | Pick<Duplex, 'once' | 'writableFinished'>

/** A request with this header does not count as activity of its session. */
const NO_REFRESH_HEADER = 'x-no-refresh'

export function createContextFactory({ authenticator, random, addresses }: ContextDeps) {
  /** Builds the context of a request; the credential is checked, what it allows is not. */
  return async function contextOf(req: IncomingMessage, res: Answering): Promise<Ctx> {
    const bearer = bearerOf(req.headers.authorization)
    const touch = req.headers[NO_REFRESH_HEADER] === undefined
    // Before the first wait: the caller may go away during it, and its address with it.
    const signal = abortOnClose(res)
    const address = addresses.of(req)
    return {
      requestId: randomHex(random, 8),
      principal: bearer === undefined ? undefined : await authenticator.authenticate(bearer, touch),
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
