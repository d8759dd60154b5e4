import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@godwit/base'
import { FILE_SOCKET_PATH } from '@godwit/contract'
import { isFileJob, type FolderWatch } from '../../content/files/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Operation } from '../../kernel/endpoint.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { ContextFactory } from '../http/index.ts'
import { createCredentials, createDoor } from '../sockets/index.ts'
import { FileSocket } from './file-socket.ts'

export interface FileSocketsDeps {
  readonly operations: readonly Operation[]
  readonly sessions: Sessions
  readonly storages: Storages
  readonly watch: FolderWatch
  readonly bus: Bus
  readonly contextOf: ContextFactory
  /** Unread notices of an account. */
  readonly unreadOf: (userId: string) => Promise<number>
  readonly clock: Clock
  readonly log: Log
}

export interface FileSockets {
  /** Takes an upgrade to `/ws/files`. @returns false when it is for someone else */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): void
}

/** 10,000 paths of a call fit, as in a JSON body by HTTP. */
const FRAME_MAX_BYTES = 8 * 1024 * 1024
const SOCKETS_MAX = 20_000

/** The door of pages, which also tells each account's pages what happens to it. */
export function createFileSockets(deps: FileSocketsDeps): FileSockets {
  const { bus, contextOf, log } = deps
  const socketDeps = {
    ...deps,
    operations: new Map(deps.operations.map((operation) => [operation.spec.name, operation])),
    credentials: createCredentials(deps),
  }
  const door = createDoor<FileSocket>({
    ...{ path: FILE_SOCKET_PATH, frameMaxBytes: FRAME_MAX_BYTES, socketsMax: SOCKETS_MAX, bus, contextOf, log },
    accept: (connection, base) => new FileSocket(socketDeps, connection, base),
  })

  function tell(userId: string, say: (socket: FileSocket) => void): void {
    for (const socket of door.open) if (socket.principal?.id === userId) say(socket)
  }

  const subscriptions = [
    bus.subscribe('job.changed', ({ job }) => {
      if (isFileJob(job)) tell(job.ownerId, (socket) => socket.showJob(job))
    }),
    bus.subscribe('notice.changed', ({ userId, unread }) => tell(userId, (socket) => socket.showUnread(unread))),
    bus.subscribe('client.changed', ({ userId, client }) => tell(userId, (socket) => socket.showClient(client))),
    bus.subscribe('client.refused', ({ userId, error }) => tell(userId, (socket) => socket.showClientRefused(error))),
  ]

  return {
    upgrade: (req, socket, head) => door.upgrade(req, socket, head),
    close() {
      for (const end of subscriptions) end()
      door.close()
    },
  }
}
