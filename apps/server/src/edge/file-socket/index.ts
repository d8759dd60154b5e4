import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@godwit/base'
import type { SessionEnd } from '@godwit/contract'
import { WebSocketServer } from 'ws'
import { isFileJob, type FolderWatch } from '../../content/files/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Operation } from '../../kernel/endpoint.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { requireSameOrigin, type ContextFactory } from '../http/index.ts'
import { createCredentials } from './credentials.ts'
import { FileSocket } from './file-socket.ts'

export interface FileSocketsDeps {
  readonly operations: readonly Operation[]
  readonly sessions: Sessions
  readonly storages: Storages
  readonly watch: FolderWatch
  readonly bus: Bus
  readonly contextOf: ContextFactory
  readonly clock: Clock
  readonly log: Log
}

export interface FileSockets {
  /** Takes an upgrade to `/ws/files`. @returns false when it is for someone else */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): void
}

const PATH = '/ws/files'
/** 10,000 paths of a call fit, as in a JSON body by HTTP. */
const FRAME_MAX_BYTES = 8 * 1024 * 1024
const SOCKETS_MAX = 20_000
/** Who has not signed in may send this much altogether: a long frame would be kept in memory until its end. */
const STRANGER_BYTES = 16 * 1024
/** Another process may end sessions too (`godwit user lock`): open sockets notice within 5 s. */
const RECHECK_MS = 3_000

/** One piece: every function of it works on the set of open sockets. */
export function createFileSockets(deps: FileSocketsDeps): FileSockets {
  // Compressed frames could unpack to anything; what passes here is small or does not compress (SECURITY, row 50).
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: FRAME_MAX_BYTES })
  const open = new Set<FileSocket>()
  const socketDeps = {
    ...deps,
    operations: new Map(deps.operations.map((operation) => [operation.spec.name, operation])),
    credentials: createCredentials(deps),
  }

  const subscriptions = [
    deps.bus.subscribe('session.ended', ({ sessionId, reason }) =>
      endWhere((socket) => socket.actor?.sessionId === sessionId, reason),
    ),
    deps.bus.subscribe('user.revoked', ({ userId, reason }) =>
      endWhere((socket) => socket.actor?.userId === userId, reason),
    ),
    deps.bus.subscribe('job.changed', ({ job }) => {
      if (!isFileJob(job)) return
      for (const socket of open) if (socket.actor?.userId === job.ownerId) socket.showJob(job)
    }),
  ]

  function endWhere(isMeant: (socket: FileSocket) => boolean, reason: SessionEnd): void {
    for (const socket of [...open]) if (isMeant(socket)) socket.endSession(reason)
  }

  async function recheck(): Promise<void> {
    for (const socket of [...open]) if (!(await socket.stillHolds())) socket.endSession('revoked')
  }

  const timer = setInterval(() => {
    recheck().catch((thrown: unknown) => deps.log.warn({ err: thrown }, 'checking open file sockets failed'))
  }, RECHECK_MS)
  timer.unref()

  async function accept(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Browsers do not apply the same-origin rule to WebSockets, so the server does.
    requireSameOrigin({ method: 'POST', headers: req.headers })
    const base = await deps.contextOf(req, socket)
    server.handleUpgrade(req, socket, head, (connection) => {
      const fileSocket = new FileSocket(socketDeps, connection, base)
      open.add(fileSocket)
      connection.on('close', () => open.delete(fileSocket))
      boundStranger(socket, () => fileSocket.actor !== undefined)
    })
  }

  return {
    upgrade(req, socket, head) {
      if ((req.url ?? '').split('?')[0] !== PATH) return false
      socket.on('error', () => socket.destroy())
      if (open.size >= SOCKETS_MAX) {
        refuse(socket, '503 Service Unavailable')
        return true
      }
      accept(req, socket, head).catch(() => refuse(socket, '403 Forbidden'))
      return true
    },
    close() {
      clearInterval(timer)
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

/** Cuts a connection that sends more than a stranger may before anyone signed in on it. */
function boundStranger(socket: Duplex, isKnown: () => boolean): void {
  let received = 0
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (isKnown()) socket.off('data', count)
    else if (received > STRANGER_BYTES) socket.destroy()
  }
  socket.on('data', count)
}
