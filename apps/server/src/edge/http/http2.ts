import type { RequestListener } from 'node:http'
import http2, { type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { KiB, MiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'
import { sendFailure } from './answers.ts'
import { anonymousCaller } from './context.ts'

/** Requests of a connection at the same time; the others wait at the client. As many as HTTP/1 may send ahead. */
export const MOST_STREAMS = 32
/** What a client may send of a body before anybody reads it: little, while it is not known who sends. */
const WINDOW_BYTES = 64 * KiB
/** The same once a body of the connection is read, so that a long line is kept full. */
const WIDE_WINDOW_BYTES = MiB
/** Only announced by the setting; nghttp2 itself takes 64 KiB. */
const HEADERS_MAX_BYTES = 16 * KiB
const HEADERS_MOST = 128
/** Of what waits to be written, and of headers, in MB. Beyond it new requests are refused. */
const SESSION_MEMORY_MB = 8
/** Requests that a client takes back: a page that is left does so with all of its own. Beyond it the connection ends. */
const RESETS = { streamResetBurst: 200, streamResetRate: 20 } as const
const FAULTS = 50

const LIMITS: http2.ServerOptions = {
  settings: {
    ...{ maxConcurrentStreams: MOST_STREAMS, initialWindowSize: WINDOW_BYTES, maxHeaderListSize: HEADERS_MAX_BYTES },
    ...{ enablePush: false, enableConnectProtocol: false },
  },
  ...{ maxHeaderListPairs: HEADERS_MOST, maxSessionMemory: SESSION_MEMORY_MB, maxSettings: 16, maxOutstandingPings: 4 },
  ...{ maxSessionInvalidFrames: FAULTS, maxSessionRejectedStreams: FAULTS, ...RESETS },
}

export interface Http2Connections {
  /** Serves a connection that has agreed on HTTP/2. */
  take(socket: TLSSocket): void
  /** Ends connections once their requests are answered. */
  closeIdle(): void
}

/**
 * Serves HTTP/2 (RFC 9113) on connections that the server of HTTPS has accepted, with the handler of HTTP/1. What a client can
 * have the server hold is bounded by the limits above; floods of resets and of header frames end their connection.
 */
export function createHttp2(serve: RequestListener, idleMs: number): Http2Connections {
  const open = new Map<ServerHttp2Session, number>()
  const server = http2.createServer(LIMITS, (req, res) => {
    const { session } = req.stream
    count(session, 1)
    res.once('close', () => count(session, -1))
    const [asked, answer] = asHttp1(req, res)
    if (lengthOf(req.rawHeaders) > HEADERS_MAX_BYTES)
      return sendFailure(answer, anonymousCaller(asked), new AppError('HEADERS_TOO_LARGE'))
    // HTTP/1 has it among the headers, and so do all who ask for it.
    req.headers.host ??= req.headers[':authority']
    serve(asked, answer)
  })
  function count(session: http2.Http2Session | undefined, change: 1 | -1): void {
    const known = session as ServerHttp2Session
    const now = open.get(known)
    if (now !== undefined) open.set(known, now + change)
  }
  server.on('session', (session) => {
    open.set(session, 0)
    session.once('close', () => open.delete(session))
    session.setTimeout(idleMs, () => {
      if (open.get(session) === 0) session.close()
    })
  })
  // A client that breaks the protocol: its connection ends, and nobody else hears of it.
  server.on('sessionError', (_error, session) => session.destroy())
  return {
    take: (socket) => void server.emit('connection', socket),
    closeIdle() {
      for (const session of open.keys()) session.close()
    },
  }
}

/** Node's own compatibility layer: requests and answers of HTTP/2 have what those of HTTP/1 have. */
function asHttp1(req: Http2ServerRequest, res: Http2ServerResponse): Parameters<RequestListener> {
  return [req, res] as unknown as Parameters<RequestListener>
}

function lengthOf(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, 0)
}

/** The stream of a request by HTTP/2; undefined for one by HTTP/1. */
export function streamOf(req: object): http2.ServerHttp2Stream | undefined {
  return 'stream' in req && 'httpVersionMajor' in req && req.httpVersionMajor === 2
    ? (req as Http2ServerRequest).stream
    : undefined
}

const widened = new WeakSet<http2.Http2Session>()

/** Lets a client send more ahead: its body is admitted and read. */
export function widenWindow(req: object): void {
  const session = streamOf(req)?.session
  if (session === undefined || session.destroyed || widened.has(session)) return
  widened.add(session)
  session.settings({ initialWindowSize: WIDE_WINDOW_BYTES })
}
