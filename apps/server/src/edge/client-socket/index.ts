import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@godwit/base'
import type { Clients } from '../../exchange/clients/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { ContextFactory } from '../http/index.ts'
import { createCredentials, createDoor } from '../sockets/index.ts'
import { ClientSocket } from './client-socket.ts'

export interface ClientSocketsDeps {
  readonly clients: Clients
  readonly sessions: Sessions
  readonly bus: Bus
  readonly contextOf: ContextFactory
  readonly clock: Clock
  readonly log: Log
}

export interface ClientSockets {
  /** Takes an upgrade to `/ws/client`. @returns false when it is for someone else */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): void
}

const PATH = '/ws/client'
const FRAME_MAX_BYTES = 16 * 1024
const SOCKETS_MAX = 10_000
const COMMAND_MS = 10_000
/** Two beats without an answer, and the client counts as gone. */
const BEAT_MS = 15_000

/** The door of desktop clients. */
export function createClientSockets(deps: ClientSocketsDeps): ClientSockets {
  const { bus, contextOf, log } = deps
  const socketDeps = { ...deps, credentials: createCredentials(deps), commandMs: COMMAND_MS }
  const door = createDoor<ClientSocket>({
    ...{ path: PATH, frameMaxBytes: FRAME_MAX_BYTES, socketsMax: SOCKETS_MAX, bus, contextOf, log },
    accept: (connection, base) => new ClientSocket(socketDeps, connection, base),
  })
  const timer = setInterval(() => {
    for (const socket of door.open) socket.beat()
  }, BEAT_MS)
  timer.unref()
  return {
    upgrade: (req, socket, head) => door.upgrade(req, socket, head),
    close() {
      clearInterval(timer)
      door.close()
    },
  }
}
