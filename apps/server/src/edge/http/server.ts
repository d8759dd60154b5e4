import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@godwit/base'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Endpoint, Operation, RawEndpoint, RequestBytes } from '../../kernel/endpoint.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { RequestMemory } from '../../kernel/request-memory.ts'
import { limitBodies } from './admission.ts'
import { AdmittedBody } from './admitted-body.ts'
import { BodyMemory } from './body-memory.ts'
import type { ClientAddresses } from './client-address.ts'
import { Connections, type ConnectionLimits } from './connections.ts'
import type { ContextFactory } from './context.ts'
import { createCrossOrigin, type CrossOrigin } from './cross-origin.ts'
import { DroppedBodies } from './dropped-bodies.ts'
import { mountEndpoints, mountOperations, operationRoute } from './endpoints.ts'
import { answerBrokenRequest, answerErrors } from './framework-errors.ts'
import { streamOf, widenWindow } from './http2.ts'
import { takeBodies, type BodyTakeover } from './node-internals/index.ts'
import { createRawRouter, type RawRouter } from './raw-router.ts'
import { RequestBody } from './request-body.ts'
import { SlowBodies } from './slow-bodies.ts'
import { createTlsServer, tlsLocation, type TlsListening, type TlsServer } from './tls-server.ts'

export interface HttpServerDeps {
  readonly host: string
  readonly port: number
  readonly endpoints: readonly Endpoint[]
  readonly operations: readonly Operation[]
  readonly rawEndpoints: readonly RawEndpoint[]
  readonly contextOf: ContextFactory
  readonly addresses: ClientAddresses
  readonly memory: RequestMemory
  readonly licence: Pick<Licence, 'requireFeature'>
  readonly connections: ConnectionLimits
  readonly metrics: Metrics
  /** Sites whose pages may call what goes by a token. */
  readonly allowedOrigins: readonly string[]
  /** Whether big bodies may be read past Node's parser, by means that Node does not document. */
  readonly usesNodeInternals: boolean
  readonly log: Log
  readonly clock: Clock
  /** Adds what is not JSON routes: pages, documentation, health. */
  readonly plugins: ReadonlyArray<(fastify: FastifyInstance) => Promise<void> | void>
  /** Takes WebSocket upgrades. */
  readonly onUpgrade: (req: http.IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Undefined: no HTTPS. */
  readonly tls?: TlsListening | undefined
}

export interface HttpServer {
  /** Base address with the real port. */
  readonly url: string
  readonly port: number
  /** Real port of HTTPS; undefined without. */
  readonly tlsPort: number | undefined
  /** Open ones, those of sockets included. */
  connections(): number
  /** Stops accepting, lets requests under way finish for `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>
}

/** A client that has not sent its headers by then is cut (fault plan, row 27). */
const HEADERS_TIMEOUT_MS = 10_000
const HEADERS_MAX_BYTES = 16_384
/** Longer than the time for which clients and proxies reuse a connection: whoever closes first must not be us, in the middle of their next request. */
const KEEP_ALIVE_MS = 75_000
/** Uploads take hours, so whole requests have no limit; who sends too slowly is cut by SlowBodies and by the features. */
const NO_LIMIT = 0
const CONNECTION_CHECK_MS = 2_000

/** Routes check and write what their contract says (endpoints.ts); the framework would load its own compilers for it. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('a route with a schema of the framework')
}

export async function startHttpServer(deps: HttpServerDeps): Promise<HttpServer> {
  const slowBodies = new SlowBodies(deps.clock)
  const sweep = setInterval(() => slowBodies.sweep(), CONNECTION_CHECK_MS)
  sweep.unref()
  const connections = new Connections({ ...deps, limits: deps.connections })
  const crossOrigin = createCrossOrigin(deps.allowedOrigins, routesOf(deps))
  const raw = createRawRouter({ ...deps, endpoints: deps.rawEndpoints, crossOrigin })
  let takeover: BodyTakeover | undefined
  let tlsServer: TlsServer | undefined
  const fastify = Fastify({
    exposeHeadRoutes: true,
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { maxParamLength: 512 },
    schemaController: NO_SCHEMAS,
    // Byte streams leave here, before the framework touches them.
    serverFactory: (handler) => {
      const served = createServer(deps, { raw, connections, slowBodies, crossOrigin, handler })
      takeover = served.takeover
      tlsServer = served.tlsServer
      return served.server
    },
  })
  limitBodies(fastify)
  countAnswers(fastify, deps.metrics)
  answerErrors(fastify, deps.log)
  mountEndpoints({ ...deps, fastify, crossOrigin }, deps.endpoints)
  mountOperations({ ...deps, fastify, crossOrigin }, deps.operations)
  for (const plugin of deps.plugins) await plugin(fastify)
  await fastify.ready()
  const tlsPort = tlsServer && (await listenTls(tlsServer, deps))
  await fastify.listen({ host: deps.host, port: deps.port })
  const { port } = fastify.server.address() as AddressInfo
  const shownHost = deps.host.includes(':') ? `[${deps.host}]` : deps.host
  return {
    url: `http://${shownHost}:${port}`,
    port,
    tlsPort,
    connections: () => connections.count,
    async close(graceMs) {
      clearInterval(sweep)
      const cut = setTimeout(() => connections.closeAll(), graceMs)
      fastify.server.closeIdleConnections()
      // The server does not know connections on which nothing has been asked since a streamed body.
      takeover?.closeIdle()
      tlsServer?.closeIdle()
      await Promise.all([fastify.close(), tlsServer && closed(tlsServer)])
      clearTimeout(cut)
    },
  }
}

/** @returns the real port */
async function listenTls({ server }: TlsServer, { host, tls, log }: HttpServerDeps): Promise<number> {
  server.on('clientError', answerBrokenRequest)
  server.listen({ host, port: tls?.port ?? 0 })
  await once(server, 'listening')
  if (tls?.inForce.current() === undefined)
    log.warn({}, 'HTTPS refuses every connection until there is a certificate: godwit certificate set')
  return (server.address() as AddressInfo).port
}

function closed({ server }: TlsServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

/** Byte streams count themselves. Whatever is no route of ours has one name, however it was spelled. */
function countAnswers(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    metrics.answered({
      ...{ method: request.method, route, status: reply.statusCode },
      seconds: reply.elapsedTime / 1000,
    })
    done()
  })
}

function routesOf({ endpoints, operations, rawEndpoints }: HttpServerDeps) {
  return [
    ...endpoints.map(({ spec }) => spec),
    ...rawEndpoints.map(({ spec }) => spec),
    ...operations.map(({ spec }) => operationRoute(spec)),
  ]
}

interface Serving {
  readonly raw: RawRouter
  readonly connections: Connections
  readonly slowBodies: SlowBodies
  readonly crossOrigin: CrossOrigin
  readonly handler: http.RequestListener
}

interface Served {
  readonly server: http.Server
  readonly takeover: BodyTakeover | undefined
  readonly tlsServer: TlsServer | undefined
}

function createServer(deps: HttpServerDeps, { raw, connections, slowBodies, crossOrigin, handler }: Serving): Served {
  const { memory, clock, metrics, usesNodeInternals, onUpgrade, tls, addresses } = deps
  const streams = new BodyMemory(memory.streamBytes)
  const dropped = new DroppedBodies(clock)
  const admitted = (body: RequestBytes, onAdmitted?: () => void): RequestBytes =>
    new AdmittedBody(body, {
      memory: streams,
      onBytes: metrics.uploaded,
      ...(onAdmitted === undefined ? {} : { onAdmitted }),
    })
  const options = { connectionsCheckingInterval: CONNECTION_CHECK_MS, maxHeaderSize: HEADERS_MAX_BYTES }
  const serve: http.RequestListener = (req, res) => {
    // HTTP/2 bounds the requests of a connection itself.
    if (streamOf(req) === undefined && !connections.beginRequest(req.socket, (end) => res.once('close', end))) return
    if (crossOrigin.preflight(req, res)) return
    if (raw.route(req, res, () => admitted(new RequestBody(req, streams, dropped), () => widenWindow(req)))) return
    slowBodies.watch(req)
    dropped.dropAfter(req, res)
    handler(req, res)
  }
  const tlsServer = tls && createTlsServer({ ...tls, options, serve, onUpgrade, idleMs: KEEP_ALIVE_MS })
  const tlsPort = () => (tlsServer?.server.address() as AddressInfo | null | undefined)?.port ?? 443
  const elsewhere = (req: http.IncomingMessage) => tls && tlsLocation(req, { ...tls, addresses, port: tlsPort })
  const server = http.createServer(options, (req, res) => {
    const location = elsewhere(req)
    if (location === undefined) return serve(req, res)
    dropped.dropAfter(req, res)
    res.writeHead(308, { location, 'content-length': 0 }).end()
  })
  const takeover = usesNodeInternals
    ? takeBodies(server, {
        memory: streams,
        dropped,
        wants: (req) => raw.takesBytes(req) && elsewhere(req) === undefined,
        serve: (req, res, body) => void raw.route(req, res, () => admitted(body)),
      })
    : undefined
  server.on('upgrade', (req: http.IncomingMessage, socket: Socket, head: Buffer) => {
    if (takeover?.upgrade(req, socket, head)) return
    const location = elsewhere(req)
    if (location === undefined) onUpgrade(req, socket, head)
    else socket.end(`HTTP/1.1 308 Permanent Redirect\r\nlocation: ${location}\r\nconnection: close\r\n\r\n`)
  })
  for (const each of tlsServer === undefined ? [server] : [server, tlsServer.server]) {
    each.headersTimeout = HEADERS_TIMEOUT_MS
    each.requestTimeout = NO_LIMIT
    each.keepAliveTimeout = KEEP_ALIVE_MS
    connections.watch(each)
  }
  return { server, takeover, tlsServer }
}
