import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Clock } from '@godwit/base'
import type { SessionEnd } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { requireSameOrigin, type ContextFactory } from '../http/index.ts'
import type { RequestMemory } from '../../kernel/request-memory.ts'
import { sourceOf } from '../../identity/auth/index.ts'
import { FrameMemory } from './frame-memory.ts'
import { Strangers } from './strangers.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'

/** One connection behind a door: it signs in and may be told that its session ended. */
export interface DoorSocket {
  readonly principal: AccountPrincipal | undefined
  /** Whom its memory counts for, and that it is no stranger, where not only accounts come in. */
  readonly memoryOwner?: string | undefined
  /** Why the session no longer holds; undefined while it does, and when nobody signed in. */
  endedBy(): Promise<SessionEnd | undefined>
  endSession(reason: SessionEnd): void
}

export interface DoorOptions<Socket extends DoorSocket> {
  readonly frameMaxBytes: number
  readonly socketsMax: number
  readonly memory: RequestMemory
  readonly clock: Clock
  readonly bus: Bus
  readonly contextOf: ContextFactory
  readonly accept: (connection: WebSocket, base: Ctx) => Socket
}

/** What takes upgrades of one path. */
export interface Door<Socket extends DoorSocket> {
  readonly open: ReadonlySet<Socket>
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends those whose session another process ended. */
  recheck(): Promise<void>
  close(): void
}

/** Who has not signed in may send this much altogether: a long frame would be kept in memory until its end. */
const STRANGER_BYTES = 16 * 1024
/** Another process may end sessions too (`godwit user lock`): open sockets notice within 5 s. */
export const RECHECK_MS = 3_000

/** One piece: every function of it works on the set of open sockets. */
export function createDoor<Socket extends DoorSocket>(options: DoorOptions<Socket>): Door<Socket> {
  const { bus, socketsMax } = options
  // Compressed frames could unpack to anything; what passes here is small or does not compress.
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: options.frameMaxBytes })
  const open = new Set<Socket>()
  const strangers = new Strangers<Socket>()
  const frames = new Set<FrameMemory>()

  const subscriptions = [
    bus.subscribe('session.ended', ({ sessionId, reason }) =>
      endWhere((socket) => socket.principal !== undefined && sessionIdOf(socket.principal) === sessionId, reason),
    ),
    bus.subscribe('user.revoked', ({ userId, reason }) =>
      endWhere((socket) => socket.principal?.id === userId, reason),
    ),
  ]

  function endWhere(isMeant: (socket: Socket) => boolean, reason: SessionEnd): void {
    for (const socket of [...open]) if (isMeant(socket)) socket.endSession(reason)
  }

  async function recheck(): Promise<void> {
    for (const memory of frames) memory.sweep()
    for (const socket of [...open]) {
      const reason = await socket.endedBy()
      if (reason !== undefined) socket.endSession(reason)
    }
  }

  async function accept(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Browsers do not apply the same-origin rule to WebSockets, so the server does.
    requireSameOrigin({ method: 'POST', headers: req.headers })
    const base = { ...(await options.contextOf(req, socket)), door: 'socket' as const }
    const source = sourceOf(base.address)
    if (!strangers.hasPlaceFor(source)) return refuse(socket, '503 Service Unavailable')
    server.handleUpgrade(req, socket, head, (connection) => {
      const accepted = options.accept(connection, base)
      const memory = new FrameMemory({
        ...{ socket, connection, calls: options.memory.calls, clock: options.clock, strangerBytes: STRANGER_BYTES },
        userId: () => accepted.principal?.id ?? accepted.memoryOwner,
      })
      open.add(accepted)
      strangers.add(accepted, source)
      frames.add(memory)
      connection.on('close', () => {
        open.delete(accepted)
        strangers.delete(accepted)
        frames.delete(memory)
      })
    })
  }

  return {
    open,
    upgrade(req, socket, head) {
      socket.on('error', () => socket.destroy())
      if (open.size >= socketsMax) {
        refuse(socket, '503 Service Unavailable')
        return
      }
      accept(req, socket, head).catch(() => refuse(socket, '403 Forbidden'))
    },
    recheck,
    close() {
      for (const end of subscriptions) end()
      for (const connection of server.clients) connection.close(1001, 'the server stops')
      server.close()
      setTimeout(() => {
        for (const connection of server.clients) connection.terminate()
      }, 1_000).unref()
    },
  }
}

/** The connection is closed on both sides: a peer that never closes its own would hold it for ever. */
function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}
