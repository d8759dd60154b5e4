import https from 'node:https'
import type { IncomingMessage, RequestListener, ServerOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { CertificateInForce } from '../../foundation/certificates/index.ts'
import type { ClientAddresses } from './client-address.ts'
import { createHttp2 } from './http2.ts'

export interface TlsListening {
  readonly port: number
  readonly inForce: CertificateInForce
  /** Whether requests without TLS are sent to where there is TLS. */
  readonly redirects: boolean
  /** How long browsers shall come by HTTPS alone; 0: they are not asked to. */
  readonly hstsDays: number
  /** Whether clients may speak HTTP/2. */
  readonly http2: boolean
  /** Host of the site's address; '' where the one that a client asked for is as good. */
  readonly siteHost: string
}

export interface TlsServerDeps extends Pick<TlsListening, 'inForce' | 'hstsDays' | 'http2'> {
  /** How long a connection of HTTP/2 without a request is kept. */
  readonly idleMs: number
  readonly options: ServerOptions
  readonly serve: RequestListener
  readonly onUpgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** A client that has not shaken hands by then is cut. */
const HANDSHAKE_MS = 10_000
const DAY_S = 24 * 3_600
/** Forward secrecy and authenticated encryption alone; TLS 1.3 has nothing else. */
const TLS_RULES = {
  minVersion: 'TLSv1.2',
  ciphers: [
    ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
    ...['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ].join(':'),
  honorCipherOrder: true,
} as const

export interface TlsServer {
  readonly server: https.Server
  /** Ends connections that wait for another request. */
  closeIdle(): void
}

/**
 * Serves HTTPS with the certificate in force, whichever that is when a connection begins. Without one every handshake fails.
 * Nothing here reads a connection below its cipher: bodies come by Node's parsers (ADR 0016).
 */
export function createTlsServer(deps: TlsServerDeps): TlsServer {
  const { inForce, hstsDays, options, onUpgrade, idleMs } = deps
  const context = () => {
    const current = inForce.current()
    return { ...TLS_RULES, ...(current === undefined ? {} : { cert: current.certificate, key: current.key }) }
  }
  const serve: RequestListener = (req, res) => {
    if (hstsDays > 0 && inForce.current()?.isPublic() === true)
      res.setHeader('strict-transport-security', `max-age=${hstsDays * DAY_S}`)
    deps.serve(req, res)
  }
  const http2 = deps.http2 ? createHttp2(serve, idleMs) : undefined
  const ALPNProtocols = [...(http2 === undefined ? [] : ['h2']), 'http/1.1']
  const server = https.createServer({ ...options, ...context(), handshakeTimeout: HANDSHAKE_MS, ALPNProtocols }, serve)
  if (http2 !== undefined) shareConnections(server, http2.take)
  // Node would answer a failed handshake in clear text.
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('upgrade', onUpgrade)
  const forget = inForce.onChange(() => server.setSecureContext(context()))
  server.once('close', forget)
  return {
    server,
    closeIdle() {
      server.closeIdleConnections()
      http2?.closeIdle()
    },
  }
}

/** Connections that agreed on HTTP/2 go to whoever speaks it; all others stay with the server's own parser. */
function shareConnections(server: https.Server, takeHttp2: (socket: TLSSocket) => void): void {
  const own = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') takeHttp2(socket)
    else for (const listener of own) Reflect.apply(listener, server, [socket])
  })
}

/** Paths that whoever watches the server, or signs its certificate, asks for without TLS. */
const PLAIN = /^\/(?:healthz|readyz|metrics)(?:\?|$)|^\/\.well-known\/acme-challenge\//

export interface Redirecting extends Pick<TlsListening, 'inForce' | 'redirects' | 'siteHost'> {
  readonly addresses: Pick<ClientAddresses, 'isProxy'>
  /** Where HTTPS is served. */
  readonly port: () => number
}

/** @returns where a request without TLS has to go; undefined when it is served as it is */
export function tlsLocation(req: IncomingMessage, { addresses, ...to }: Redirecting): string | undefined {
  if (!to.redirects || to.inForce.current() === undefined) return undefined
  const { url = '' } = req
  // A trusted proxy ends the TLS of its clients itself.
  if (!url.startsWith('/') || PLAIN.test(url) || addresses.isProxy(req.socket.remoteAddress ?? '')) return undefined
  const asked = `http://${req.headers.host ?? ''}`
  const host = to.siteHost || (URL.canParse(asked) ? new URL(asked).hostname : '')
  if (host === '') return undefined
  const port = to.port()
  return `https://${host}${port === 443 ? '' : `:${port}`}${url}`
}
