import { systemClock } from '@godwit/base'
import type { AddressId, Micros } from '../../core/index.ts'

export interface Endpoint {
  /** An IP address, never a name. */
  readonly host: string
  readonly port: number
}

/** Datagrams from one sender, `segmentSize` bytes each, back to back, the last maybe shorter. */
export interface Received {
  /** Borrowed; may be changed in place (decryption). */
  readonly buffer: Uint8Array
  readonly segmentSize: number
  readonly from: AddressId
  /** How long they have waited for this program to look; 0 where the port does not report it. */
  readonly ageUs: Micros
}

/** What a datagram port reports to its owner. Called from the event loop, never from inside `send`. */
export interface PortHandler {
  /** @returns true when any of them is genuine: only then is the sender, which anybody may forge, remembered */
  onDatagrams(received: Received): boolean
  /**
   * Called after datagrams were handed over, and when the wake time has come.
   * @returns when to call again, in the microseconds of the port's clock; Infinity for "only after datagrams"
   */
  onWake(): Micros
}

/** Monotonic microseconds. */
export type MicroClock = () => Micros

export const systemMicros: MicroClock = () => systemClock.monotonic() * 1000

/** One bound UDP socket, whatever carries it. */
export interface DatagramPort {
  readonly kind: PortKind
  readonly local: Endpoint
  /** True when the port sets "do not fragment", so that a size probe that arrives proves a path. */
  readonly setsDontFragment: boolean
  start(handler: PortHandler): void
  /** Numbers a peer. The same endpoint keeps its number while it is in use. */
  addressOf(peer: Endpoint): AddressId
  endpointOf(address: AddressId): Endpoint | undefined
  /**
   * Sends `length` bytes as datagrams of `segmentSize`, the last maybe shorter. Copies or sends before it returns.
   * @returns false when the socket is full: nothing was sent, offer the same batch again after the next wake
   */
  send(to: AddressId, batch: { buffer: Uint8Array; length: number; segmentSize: number }): boolean
  /** Requests a call of `onWake` soon: something outside the network changed. */
  wake(): void
  close(): void
}

export type PortKind = 'portable' | 'batched'

export interface PortOptions {
  /** IP address to bind; default every IPv4 address. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  readonly clock: MicroClock
}

/** Bytes requested from the kernel for each direction of a socket. A machine may grant less (stock Linux: 208 KiB). */
export const SOCKET_BUFFER_BYTES = 8 * 1024 * 1024
/** Shortest sleep between two looks at a busy socket. Waking once a packet would cost a core. */
export const BUSY_TICK_US: Micros = 1000
