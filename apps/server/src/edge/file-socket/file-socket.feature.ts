import { FILE_SOCKET_PATH } from '@godwit/contract'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import { defineFeature, type Declared, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { ContextFactory } from '../http/index.ts'
import { createCredentials, createDoor, RECHECK_MS } from '../sockets/index.ts'
import { FileSocket, type FileSocketDeps } from './file-socket.ts'

export interface FileSocketFeatureDeps {
  readonly sessions: Sessions
  readonly licence: Licence
  readonly contextOf: ContextFactory
}

/** 10,000 paths of a call fit, as in a JSON body by HTTP. */
const FRAME_MAX_BYTES = 8 * 1024 * 1024
const SOCKETS_MAX = 20_000

/** The door of pages: carries operations, watches and what features push. */
export function fileSocketFeature(kernel: Kernel, { sessions, licence, contextOf }: FileSocketFeatureDeps): Feature {
  const { bus, clock, log, memory } = kernel
  const credentials = createCredentials({ sessions, clock })
  let socketDeps: FileSocketDeps | undefined
  const door = createDoor<FileSocket>({
    ...{ frameMaxBytes: FRAME_MAX_BYTES, socketsMax: SOCKETS_MAX, bus, memory, clock, contextOf },
    accept(connection, base) {
      if (socketDeps === undefined) throw new Error('a connection came before the start')
      return new FileSocket(socketDeps, connection, base)
    },
  })
  const ends: Array<() => void> = []
  const start = ({ operations, watches, admissions, push }: Declared): void => {
    socketDeps = {
      ...{ credentials, admissions, push, memory, licence, clock, log },
      operations: new Map(operations.map((operation) => [operation.spec.name, operation])),
      watches: new Map(watches.map((watch) => [watch.name, watch])),
    }
    for (const { connect } of push) {
      ends.push(
        connect(bus, (userId, message) => {
          for (const socket of door.open) if (socket.principal?.id === userId) socket.show(message)
        }),
      )
    }
  }
  return defineFeature({
    name: 'file-socket',
    upgrades: [{ path: FILE_SOCKET_PATH, upgrade: (req, socket, head) => door.upgrade(req, socket, head) }],
    every: [{ name: 'recheck', everyMs: RECHECK_MS, work: () => door.recheck() }],
    start: (all) => Promise.resolve(start(all)),
    async stop() {
      for (const end of ends) end()
      await Promise.resolve(door.close())
    },
  })
}
