import { type AddressId, connectionIdOf, type Micros } from '../../core/index.ts'
import { isProbe } from '../direct/probes.ts'
import type { DatagramPort, MicroClock, Received } from '../ports/port.types.ts'

/** The receiver of one connection's datagrams. */
export interface HubClient {
  readonly connectionId: Uint8Array
  /**
   * `arrivedAt`: when the machine had them, which may be before this program looked.
   * @returns true when any of them came from the peer
   */
  onDatagrams(arrivedAt: Micros, received: Received): boolean
  onWake(now: Micros): Micros
}

/**
 * Shares one UDP port between connections, by the connection id that each datagram names.
 * A datagram of no known connection is dropped without an answer and without any state.
 */
export class UdpHub {
  readonly port: DatagramPort
  /** Takes what is a probe and no packet. @returns true when it is genuine */
  onProbe: ((datagram: Uint8Array, from: AddressId) => boolean) | undefined
  readonly #clock: MicroClock
  readonly #clients = new Map<string, HubClient>()
  #last: HubClient | undefined

  constructor(port: DatagramPort, clock: MicroClock) {
    this.port = port
    this.#clock = clock
    port.start({
      onDatagrams: (received) => this.#route(received),
      onWake: () => this.#wakeAll(),
    })
  }

  add(client: HubClient): void {
    this.#clients.set(hexOf(client.connectionId), client)
    this.port.wake()
  }

  remove(client: HubClient): void {
    this.#clients.delete(hexOf(client.connectionId))
    if (this.#last === client) this.#last = undefined
  }

  #route(received: Received): boolean {
    if (this.onProbe !== undefined && isProbe(received.buffer)) return this.#probes(received, this.onProbe)
    const client = this.#clientOfAny(received.buffer, received.segmentSize)
    return client?.onDatagrams(this.#clock() - received.ageUs, received) ?? false
  }

  #probes(
    { buffer, segmentSize, from }: Received,
    onProbe: (datagram: Uint8Array, from: AddressId) => boolean,
  ): boolean {
    let isGenuine = false
    for (let at = 0; at < buffer.length; at += segmentSize)
      if (onProbe(buffer.subarray(at, at + segmentSize), from)) isGenuine = true
    return isGenuine
  }

  /**
   * Merged datagrams share their sender's address, which may be forged: the first one may be a stranger's.
   * The session refuses those that name another connection.
   */
  #clientOfAny(buffer: Uint8Array, segmentSize: number): HubClient | undefined {
    for (let at = 0; at < buffer.length; at += segmentSize) {
      const client = this.#clientOf(at === 0 ? buffer : buffer.subarray(at, at + segmentSize))
      if (client !== undefined) return client
    }
    return undefined
  }

  #clientOf(datagram: Uint8Array): HubClient | undefined {
    if (this.#last !== undefined && names(datagram, this.#last.connectionId)) return this.#last
    const id = connectionIdOf(datagram)
    const client = id === undefined ? undefined : this.#clients.get(id)
    if (client !== undefined) this.#last = client
    return client
  }

  #wakeAll(): Micros {
    const now = this.#clock()
    let next = Infinity
    for (const client of this.#clients.values()) next = Math.min(next, client.onWake(now))
    return next
  }

  close(): void {
    this.port.close()
  }
}

function names(datagram: Uint8Array, id: Uint8Array): boolean {
  for (let index = 0; index < id.length; index++) if (datagram[index + 1] !== id[index]) return false
  return true
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
