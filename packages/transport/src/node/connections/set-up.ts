import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Random } from '@godwit/base'
import { MAX_PACKET, MIN_PACKET } from '../../core/index.ts'
import { type Backend, openPort } from '../ports/open-port.ts'
import type { MicroClock } from '../ports/port.types.ts'
import { EXPORTER_LABEL, SECRET_BYTES, type SuiteName } from '../suites/keys.ts'
import { UdpHub } from './udp-hub.ts'

/** What both ends of a connection are made of, whatever carries their control stream. */

export const ALPN = 'gwt/1'
/** How long a side waits for each half of the handshake. */
export const HANDSHAKE_MS = 15_000

/** How a side does UDP: `off`, or the wanted backend. */
export type UdpChoice = Backend | 'off'

export interface CommonOptions {
  readonly udp?: UdpChoice
  /** Largest UDP payload, 600 to 1442. */
  readonly packetSize?: number
  readonly clock?: MicroClock
  readonly random?: Random
}

export interface OpenedHub {
  readonly hub: UdpHub
  readonly isFast: boolean
  readonly fallback: string | undefined
}

export async function openHub(
  choice: UdpChoice,
  at: { host: string; port: number; clock: MicroClock },
): Promise<OpenedHub | undefined> {
  if (choice === 'off') return undefined
  const { port, fallback } = await openPort(choice, at)
  return { hub: new UdpHub(port, at.clock), isFast: port.kind === 'batched', fallback }
}

export function describeEngines(
  hub: OpenedHub | undefined,
  suite: SuiteName,
  suiteFallback: string | undefined,
): string {
  if (hub === undefined) return 'TLS streams only'
  const io = hub.isFast ? 'batched UDP' : `portable UDP${hub.fallback === undefined ? '' : ` (${hub.fallback})`}`
  const crypto = hub.isFast && suiteFallback !== undefined ? ` (${suiteFallback})` : ''
  return `${io}, ${suite}${crypto}`
}

export function clampPacket(size: number): number {
  return Math.max(MIN_PACKET, Math.min(MAX_PACKET, size))
}

/** The address to bind, to reach a peer of this one. */
export function anyAddress(peer: string): string {
  return isIP(peer) === 6 && !peer.startsWith('::ffff:') ? '::' : '0.0.0.0'
}

/** What a proof is bound to. */
export function channelOf(socket: TLSSocket): Uint8Array {
  return socket.exportKeyingMaterial(SECRET_BYTES, 'godwit proof v1', Buffer.alloc(0))
}

export function exportSecret(socket: TLSSocket): Uint8Array {
  return socket.exportKeyingMaterial(SECRET_BYTES, EXPORTER_LABEL, Buffer.alloc(0))
}
