import type { RendezvousReflector } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { Transfers } from '../transfers/index.ts'
import { RENDEZVOUS_SETTINGS, type RendezvousSettings } from './rendezvous.settings.ts'
import { Rooms } from './rooms.ts'

/** What the socket and the transfer port are given. */
export interface Rendezvous {
  readonly rooms: Rooms
  readonly settings: () => Promise<RendezvousSettings>
  /** Numbers of rooms that one address may try. */
  readonly guesses: CallLimit
  readonly openings: CallLimit
  /** Where the reflector answers. */
  readonly reflector: () => Promise<RendezvousReflector['udp']>
}

const SWEEP_MS = 5_000
const GUESSES = { name: 'rendezvous.guesses', calls: 30, periodMs: 60_000 } as const
const OPENINGS = { name: 'rendezvous.openings', calls: 60, periodMs: 60_000 } as const

export function rendezvousFeature(
  kernel: Kernel,
  { settings, transfers }: { readonly settings: Settings; readonly transfers: Pick<Transfers, 'outerPort'> },
): FeatureWith<Rendezvous> {
  const { clock, random, limits, log } = kernel
  const rooms = new Rooms(
    () => clock.monotonic(),
    random,
    ({ number: room, relayedBytes }) => log.info({ room, relayedBytes }, 'a meeting has ended'),
  )
  return defineFeature({
    name: 'rendezvous',
    api: {
      rooms,
      settings: () => settings.of(RENDEZVOUS_SETTINGS),
      guesses: limits.callLimit(GUESSES),
      openings: limits.callLimit(OPENINGS),
      async reflector() {
        const port = await transfers.outerPort()
        return port === undefined || port.udpPort === 0 ? null : { host: port.host, port: port.udpPort }
      },
    },
    settings: RENDEZVOUS_SETTINGS,
    every: [{ name: 'sweep-rooms', everyMs: SWEEP_MS, work: () => Promise.resolve(rooms.sweep()) }],
  })
}
