import { KiB } from '@godwit/base'
import { RENDEZVOUS_SOCKET_PATH } from '@godwit/contract'
import type { Rendezvous } from '../../exchange/rendezvous/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { ContextFactory } from '../http/index.ts'
import { createCredentials, createDoor, RECHECK_MS } from '../sockets/index.ts'
import { RendezvousSocket } from './rendezvous-socket.ts'

export interface RendezvousSocketFeatureDeps {
  readonly rendezvous: Rendezvous
  readonly sessions: Sessions
  readonly contextOf: ContextFactory
}

const FRAME_MAX_BYTES = 128 * KiB
const SOCKETS_MAX = 5_000
/** Two beats without an answer, and a program counts as gone. */
const BEAT_MS = 15_000

/** The door of programs that meet in rooms. */
export function rendezvousSocketFeature(kernel: Kernel, deps: RendezvousSocketFeatureDeps): Feature {
  const { bus, clock, log, memory } = kernel
  const { rendezvous, sessions, contextOf } = deps
  const credentials = createCredentials({ sessions, clock })
  const door = createDoor<RendezvousSocket>({
    ...{ frameMaxBytes: FRAME_MAX_BYTES, socketsMax: SOCKETS_MAX, bus, memory, clock, contextOf },
    accept: (connection, base) => new RendezvousSocket({ rendezvous, credentials, clock, log }, connection, base),
  })
  return defineFeature({
    name: 'rendezvous-socket',
    upgrades: [{ path: RENDEZVOUS_SOCKET_PATH, upgrade: (req, socket, head) => door.upgrade(req, socket, head) }],
    every: [
      { name: 'recheck', everyMs: RECHECK_MS, work: () => door.recheck() },
      {
        name: 'beat',
        everyMs: BEAT_MS,
        work: () => Promise.resolve([...door.open].forEach((socket) => socket.beat())),
      },
    ],
    stop: () => Promise.resolve(door.close()),
  })
}
