import { isUtf8 } from 'node:buffer'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@godwit/base'
import { pickLocale } from '@godwit/i18n'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Log } from '../../kernel/context.ts'
import type { Endpoint, Operation, RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError, failureBody, type ErrorDetails } from '../../kernel/errors.ts'
import { noteFailure, SECURITY_HEADERS } from './answers.ts'
import { BodyMemory } from './body-memory.ts'
import { takeBodies, type BodyTakeover } from './body-takeover.ts'
import { anonymousCaller, type ContextFactory } from './context.ts'
import { mountEndpoints, mountOperations } from './endpoints.ts'
import { createRawRouter } from './raw-router.ts'
import { RequestBody } from './request-body.ts'
import { SlowBodies } from './slow-bodies.ts'

export interface HttpServerDeps {
  readonly host: string
  readonly port: number
  readonly endpoints: readonly Endpoint[]
  readonly operations: readonly Operation[]
  readonly rawEndpoints: readonly RawEndpoint[]
  readonly contextOf: ContextFactory
  readonly log: Log
  readonly clock: Clock
  /** Adds what is not JSON routes: pages, documentation, health. */
  readonly plugins: ReadonlyArray<(fastify: FastifyInstance) => Promise<void> | void>
  /** Takes WebSocket upgrades. */
  readonly onUpgrade: (req: http.IncomingMessage, socket: Duplex, head: Buffer) => void
}

export interface HttpServer {
  /** Base address with the real port. */
  readonly url: string
  readonly port: number
  /** Stops accepting, lets requests under way finish for `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>
}

/** JSON bodies are small; bytes of files never pass here. 10,000 paths of a call fit. */
const JSON_BODY_LIMIT = 8 * 1024 * 1024
/** A client that has not sent its headers by then is cut (fault plan, row 27). */
const HEADERS_TIMEOUT_MS = 10_000
/** Longer than the time for which clients and proxies reuse a connection: whoever closes first must not be us, in the middle of their next request. */
const KEEP_ALIVE_MS = 75_000
/** Uploads take hours, so whole requests have no limit; who sends too slowly is cut by SlowBodies and by the features. */
const NO_LIMIT = 0
const CONNECTION_CHECK_MS = 2_000

export async function startHttpServer(deps: HttpServerDeps): Promise<HttpServer> {
  const raw = createRawRouter({ endpoints: deps.rawEndpoints, contextOf: deps.contextOf, log: deps.log })
  const memory = new BodyMemory()
  const slowBodies = new SlowBodies(deps.clock)
  const sweep = setInterval(() => slowBodies.sweep(), CONNECTION_CHECK_MS)
  sweep.unref()
  const sockets = new Set<Socket>()
  let takeover: BodyTakeover | undefined
  const options = { connectionsCheckingInterval: CONNECTION_CHECK_MS, maxHeaderSize: 16_384 }
  const fastify = Fastify({
    bodyLimit: JSON_BODY_LIMIT,
    exposeHeadRoutes: false,
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { maxParamLength: 512 },
    // Byte streams leave here, before the framework touches them.
    serverFactory: (handler) => {
      const server = http.createServer(options, (req, res) => {
        if (raw.route(req, res, () => new RequestBody(req, memory))) return
        slowBodies.watch(req)
        handler(req, res)
      })
      server.headersTimeout = HEADERS_TIMEOUT_MS
      server.requestTimeout = NO_LIMIT
      server.keepAliveTimeout = KEEP_ALIVE_MS
      takeover = takeBodies(server, {
        memory,
        wants: raw.takesBytes,
        serve: (req, res, body) => void raw.route(req, res, () => body),
      })
      server.on('upgrade', (req: http.IncomingMessage, socket: Socket, head: Buffer) => {
        if (!takeover?.upgrade(req, socket, head)) deps.onUpgrade(req, socket, head)
      })
      server.on('connection', (socket) => {
        // One that comes back from a body is known.
        if (sockets.has(socket)) return
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      return server
    },
  })
  answerFrameworkErrors(fastify, deps.log)
  readJsonStrictly(fastify)
  mountEndpoints({ ...deps, fastify }, deps.endpoints)
  mountOperations({ ...deps, fastify }, deps.operations)
  for (const plugin of deps.plugins) await plugin(fastify)
  await fastify.listen({ host: deps.host, port: deps.port })
  const { port } = fastify.server.address() as AddressInfo
  const shownHost = deps.host.includes(':') ? `[${deps.host}]` : deps.host
  return {
    url: `http://${shownHost}:${port}`,
    port,
    close: (graceMs) => closeGracefully(fastify, { graceMs, sweep, sockets, closeIdle: () => takeover?.closeIdle() }),
  }
}

/** The framework's own refusals (malformed JSON, wrong content type, too large, unknown route) get the same envelope. */
function answerFrameworkErrors(fastify: FastifyInstance, log: Log): void {
  fastify.setErrorHandler((thrown, request, reply) => {
    const caller = anonymousCaller(request.raw)
    const error = noteFailure(log, caller, frameworkError(thrown))
    return reply.code(error.status).headers(SECURITY_HEADERS).send(failureBody(caller, error))
  })
  fastify.setNotFoundHandler((request, reply) => {
    const error = new AppError('ROUTE_NOT_FOUND')
    return reply
      .code(error.status)
      .headers(SECURITY_HEADERS)
      .send(failureBody(anonymousCaller(request.raw), error))
  })
}

function frameworkError(thrown: unknown): unknown {
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) return new AppError('BODY_TOO_LARGE', undefined, { cause: thrown })
  if (status === 415) return new AppError('CONTENT_TYPE_UNSUPPORTED', undefined, { cause: thrown })
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('PARAMETER_INVALID', ruleOf(thrown), { cause: thrown })
  }
  return thrown
}

/** Which rule of a body was broken: that it is JSON, that it is there. Other messages repeat what was sent. */
function ruleOf(thrown: unknown): ErrorDetails | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined
  return String(thrown.code).startsWith('FST_ERR_CTP_') ? { field: '', rule: thrown.message } : undefined
}

/**
 * JSON is UTF-8 and nothing else. Reading it leniently would turn a broken name into another one, and store under that what
 * belongs elsewhere.
 */
function readJsonStrictly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error')
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding !== 'identity') {
      done(new AppError('CONTENT_TYPE_UNSUPPORTED', { coding }))
    } else if (isUtf8(body)) {
      // It answers by `done` alone.
      void parse(request, body.toString('utf8'), done)
    } else {
      done(new AppError('PARAMETER_INVALID', { field: '', rule: 'Body is not valid UTF-8' }))
    }
  })
}

/** What is no HTTP never becomes a request, and is answered with the same envelope all the same. */
function answerBrokenRequest(
  error: Error & { readonly code?: string; readonly reason?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const caller = { requestId: '-', locale: pickLocale(undefined) }
  const refused =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('HEADERS_TOO_LARGE')
      : new AppError('PARAMETER_INVALID', { field: '', rule: error.reason ?? error.message })
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : refused.status
  const body = JSON.stringify(failureBody(caller, refused))
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

interface Closing {
  readonly graceMs: number
  readonly sweep: NodeJS.Timeout
  /** Every connection: the server itself forgets those that were upgraded, and waits for them all the same. */
  readonly sockets: ReadonlySet<Socket>
  /** Ends connections that the server does not know at the moment because nothing is asked on them. */
  readonly closeIdle: () => void
}

async function closeGracefully(
  fastify: FastifyInstance,
  { graceMs, sweep, sockets, closeIdle }: Closing,
): Promise<void> {
  clearInterval(sweep)
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, graceMs)
  fastify.server.closeIdleConnections()
  closeIdle()
  await fastify.close()
  clearTimeout(cut)
}
