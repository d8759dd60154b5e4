import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { KiB } from '@godwit/base'
import type { RequestBytes } from '../../../kernel/endpoint.ts'
import type { BodyMemory } from '../body-memory.ts'
import type { DroppedBodies } from '../dropped-bodies.ts'
import { KeptConnections } from './kept-connections.ts'
import { SocketBody } from './socket-body.ts'
import { hasDescriptor } from './socket-bytes.ts'

/** Below this the parser's two copies cost less than taking the connection from it. */
const LEAST_BYTES = 256 * KiB
/** What the headers callback of Node's parser answers when what follows is none of its business. */
const NOT_HTTP = 2

interface NodeParser {
  onIncoming?: ((req: IncomingMessage, shouldKeepAlive: boolean) => number) | null
}

/** What Node keeps at a connection that it serves. */
interface ServedSocket extends Socket {
  readonly parser?: NodeParser | null
  readonly _httpMessage?: unknown
}

export interface TakeoverDeps {
  readonly memory: BodyMemory
  readonly dropped: DroppedBodies
  /** Whether the bytes of this request shall be read from its connection. */
  readonly wants: (req: IncomingMessage) => boolean
  readonly serve: (req: IncomingMessage, res: http.ServerResponse, body: RequestBytes) => void
}

export interface BodyTakeover {
  /** @returns false for an upgrade that is the caller's */
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer): boolean
  /** Ends connections that wait for another request. */
  closeIdle(): void
}

/**
 * Lets big bodies past Node's parser, which copies each chunk and hands it over in pieces of 64 KiB (ADR 0016). The parser
 * reads the headers as ever and is then told that another protocol follows, so it lets go of the connection, as it does for
 * a WebSocket. When the body has been read and the answer written, the server gets the connection again with the next
 * request's first byte. Where Node's parser is not as expected, every request goes the usual way.
 */
export function takeBodies(server: http.Server, deps: TakeoverDeps): BodyTakeover {
  /** Requests under way whose bytes we read, with whether the connection shall go on. */
  const taken = new WeakMap<IncomingMessage, boolean>()
  const kept = new KeptConnections(server)

  server.on('connection', (socket: ServedSocket) => {
    const { parser } = socket
    const usual = parser?.onIncoming
    if (!parser || typeof usual !== 'function') return
    parser.onIncoming = (req, shouldKeepAlive) => {
      // An answer to a former request is still to be written: the server keeps the order.
      if (socket._httpMessage || !isPlain(req) || !deps.wants(req)) return usual(req, shouldKeepAlive)
      Object.assign(req, { upgrade: true })
      taken.set(req, shouldKeepAlive)
      return NOT_HTTP
    }
  })

  function upgrade(req: IncomingMessage, socket: Socket, head: Buffer): boolean {
    const shouldKeepAlive = taken.get(req)
    if (shouldKeepAlive === undefined) return false
    // Until the server has the connection again: a fault without a listener ends the process, and the body reports it.
    socket.on('error', ignore)
    socket.setTimeout(0)
    const res = new http.ServerResponse(req)
    res.shouldKeepAlive = shouldKeepAlive
    if (shouldKeepAlive) res.setHeader('keep-alive', `timeout=${Math.floor(server.keepAliveTimeout / 1000)}`)
    res.assignSocket(socket)
    if (req.headers.expect !== undefined) res.writeContinue()
    let surplus: Buffer | undefined
    const connection = {
      socket,
      length: Number(req.headers['content-length']),
      memory: deps.memory,
      dropped: deps.dropped,
      onWhole: (rest: Buffer): void => {
        surplus = rest
        if (res.writableFinished) goOn()
      },
    }
    const body = new SocketBody(connection, head)
    const goOn = (): void => {
      if (surplus === undefined || socket.destroyed) return
      if (shouldKeepAlive && server.listening) {
        kept.waitForNext(socket, surplus, () => socket.off('error', ignore))
      } else socket.destroySoon()
    }
    res.once('finish', () => {
      res.detachSocket(socket)
      res.emit('close')
      // Also for an answer that nobody had to read the body for.
      if (surplus === undefined) body.close()
      else goOn()
    })
    deps.serve(req, res, body)
    return true
  }

  return {
    upgrade,
    closeIdle: () => kept.close(),
  }
}

function ignore(): void {}

/** Nothing about the request needs more than its length: no coding, no expectation but the usual one, no other protocol. */
function isPlain(req: IncomingMessage & { readonly upgrade?: boolean }): boolean {
  const { headers, httpVersion, socket } = req
  return (
    httpVersion === '1.1' &&
    !req.upgrade &&
    headers.host !== undefined &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) >= LEAST_BYTES &&
    (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') &&
    hasDescriptor(socket)
  )
}
