import type { Sessions } from '../../identity/auth/index.ts'
import { createConnectedDevices } from '../../identity/devices/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { ContextFactory } from '../http/index.ts'
import { createCredentials, createDoor, RECHECK_MS } from '../sockets/index.ts'
import { ClientSocket, type ClientHost } from './client-socket.ts'

export interface ClientSocketFeatureDeps {
  readonly clients: ClientHost
  readonly sessions: Sessions
  readonly contextOf: ContextFactory
}

const PATH = '/ws/client'
const FRAME_MAX_BYTES = 16 * 1024
const SOCKETS_MAX = 10_000
const COMMAND_MS = 10_000
/** Two beats without an answer, and the client counts as gone. */
const BEAT_MS = 15_000

/** The door of desktop clients. */
export function clientSocketFeature(kernel: Kernel, deps: ClientSocketFeatureDeps): Feature {
  const { clock, log } = kernel
  const { clients, sessions, contextOf } = deps
  const devices = createConnectedDevices(kernel)
  const credentials = createCredentials({ sessions, clock })
  const door = createDoor<ClientSocket>({
    ...{
      frameMaxBytes: FRAME_MAX_BYTES,
      socketsMax: SOCKETS_MAX,
      bus: kernel.bus,
      memory: kernel.memory,
      clock,
      contextOf,
    },
    accept: (connection, base) =>
      new ClientSocket({ clients, credentials, devices, clock, log, commandMs: COMMAND_MS }, connection, base),
  })
  return defineFeature({
    name: 'client-socket',
    upgrades: [{ path: PATH, upgrade: (req, socket, head) => door.upgrade(req, socket, head) }],
    every: [
      { name: 'recheck', everyMs: RECHECK_MS, work: () => door.recheck() },
      {
        name: 'beat',
        everyMs: BEAT_MS,
        async work() {
          for (const socket of door.open) socket.beat()
          const present = [...door.open].filter(({ isPresent }) => isPresent)
          await devices.connected(present.flatMap(({ principal }) => principal ?? []))
        },
      },
    ],
    stop: () => Promise.resolve(door.close()),
  })
}
