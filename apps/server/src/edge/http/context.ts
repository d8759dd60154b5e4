import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { randomHex, type Random } from '@godwit/base'
import { pickLocale } from '@godwit/i18n'
import type { Authenticator, Ctx } from '../../kernel/context.ts'

export interface ContextDeps {
  readonly authenticator: Authenticator
  readonly random: Random
  readonly trustedProxies: readonly string[]
}

/** A response, or the bare socket of an upgrade. */
type Answering = Pick<ServerResponse, 'once' | 'writableFinished'> | Pick<Duplex, 'once' | 'writableFinished'>

/** A request with this header does not count as activity of its session. */
const NO_REFRESH_HEADER = 'x-no-refresh'

export function createContextFactory(deps: ContextDeps) {
  const proxies = trustedList(deps.trustedProxies)
  /** Builds the context of a request; the credential is checked, what it allows is not. */
  return async function contextOf(req: IncomingMessage, res: Answering): Promise<Ctx> {
    const bearer = bearerOf(req.headers.authorization)
    const touch = req.headers[NO_REFRESH_HEADER] === undefined
    return {
      requestId: randomHex(deps.random, 8),
      principal: bearer === undefined ? undefined : await deps.authenticator.authenticate(bearer, touch),
      locale: pickLocale(req.headers['accept-language']),
      address: clientAddress(req, proxies),
      userAgent: req.headers['user-agent'] ?? '',
      origin: req.headers.origin,
      bearer,
      signal: abortOnClose(res),
    }
  }
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

function trustedList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) throw new Error(`trustedProxies: not an address or CIDR range: ${entry}`)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/**
 * The nearest address that is not a trusted proxy. Without trusted proxies the header is ignored: anyone can send one.
 */
function clientAddress(req: IncomingMessage, proxies: BlockList): string {
  const chain = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => isIP(entry) !== 0)
  let address = plain(req.socket.remoteAddress ?? '')
  while (isTrusted(proxies, address)) {
    const next = chain.pop()
    if (next === undefined) break
    address = plain(next)
  }
  return address
}

function isTrusted(proxies: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
