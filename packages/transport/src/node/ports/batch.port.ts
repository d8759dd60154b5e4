import type { AddressId, Micros } from '../../core/index.ts'
import { EAGAIN, LinuxUdpSocket, type RawAddress, readEndpoint, type ReceivedMessage } from '../ffi/linux-udp.ts'
import { AddressCache } from '../ffi/memory.ts'
import { AddressBook } from './address-book.ts'
import {
  BUSY_TICK_US,
  type DatagramPort,
  type Endpoint,
  type MicroClock,
  type PortHandler,
  type PortOptions,
  SOCKET_BUFFER_BYTES,
} from './port.types.ts'

/** Longest time between two turns of the event loop while packets arrive. */
const ACTIVE_SLEEP_US: Micros = 1000
/** Between two looks at an idle port. The event loop is free meanwhile: it takes one new connection a turn. */
const IDLE_TICK_MS = 5
/** Silence after which a port counts as idle. */
const IDLE_AFTER_US: Micros = 200_000
/** Receive calls in a row before the session may send: bounds how late an acknowledgement can be. */
const MAX_RECEIVE_CALLS = 8
/** From this many messages a look on, the next look is a whole tick later, so that messages gather. */
const BUSY_MESSAGES = 8

/**
 * UDP by batched Linux calls: segmentation offload for sending, recvmmsg and receive offload for receiving.
 * While packets come it sleeps inside ppoll, for at most a millisecond, and then lets the event loop turn, so timers,
 * TLS sockets and messages of other threads still arrive; meant for a thread of its own.
 * @throws Error when a call it needs is missing
 */
export function openBatchPort(options: PortOptions): DatagramPort {
  const socket = new LinuxUdpSocket({ host: options.host ?? '0.0.0.0', port: options.port ?? 0 })
  socket.enlargeBuffers(SOCKET_BUFFER_BYTES)
  return new BatchPort(socket, options.clock)
}

class BatchPort implements DatagramPort {
  readonly kind = 'batched'
  readonly setsDontFragment = true
  readonly local: Endpoint
  readonly #socket: LinuxUdpSocket
  readonly #clock: MicroClock
  readonly #book = new AddressBook<RawAddress>()
  readonly #addresses = new AddressCache()
  #handler: PortHandler | undefined
  #lastFrom: Uint8Array = new Uint8Array(0)
  #lastId: AddressId = 0
  #lastActivity: Micros = 0
  #wakeAt: Micros = 0
  #busy = false
  #closed = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(socket: LinuxUdpSocket, clock: MicroClock) {
    this.#socket = socket
    this.#clock = clock
    this.local = socket.local
  }

  start(handler: PortHandler): void {
    this.#handler = handler
    this.#lastActivity = this.#clock()
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    const handler = this.#handler
    this.#idleTimer = undefined
    if (this.#closed || handler === undefined) return
    this.#sleep()
    const received = this.#receive(handler)
    this.#busy = received >= BUSY_MESSAGES
    if (received > 0) this.#lastActivity = this.#clock()
    if (!this.#isOpen()) return
    this.#wakeAt = handler.onWake()
    this.#turnAgain()
  }

  #turnAgain(): void {
    const now = this.#clock()
    const isIdle = now - this.#lastActivity > IDLE_AFTER_US && this.#wakeAt - now > IDLE_TICK_MS * 1000
    if (isIdle) this.#idleTimer = setTimeout(this.#turn, IDLE_TICK_MS)
    else setImmediate(this.#turn)
  }

  /** `onDatagrams` and `onWake` may close the port. */
  #isOpen(): boolean {
    return !this.#closed
  }

  #sleep(): void {
    const now = this.#clock()
    if (this.#busy) return this.#socket.wait(BUSY_TICK_US, false)
    const span = Math.min(ACTIVE_SLEEP_US, this.#wakeAt - now)
    if (span > 0 && now - this.#lastActivity <= IDLE_AFTER_US) this.#socket.wait(span, true)
  }

  #receive(handler: PortHandler): number {
    let total = 0
    for (let call = 0; call < MAX_RECEIVE_CALLS; call++) {
      const count = this.#socket.receive((message) => this.#take(handler, message))
      total += count
      if (count < 64 || this.#closed) break
    }
    return total
  }

  #take(handler: PortHandler, message: ReceivedMessage): void {
    if (this.#closed) return
    const { buffer, segmentSize, from, ageUs } = message
    if (same(from, this.#lastFrom)) return void handler.onDatagrams({ buffer, segmentSize, from: this.#lastId, ageUs })
    const key = keyOf(from)
    const id = this.#book.find(key)
    if (!handler.onDatagrams({ buffer, segmentSize, from: id, ageUs })) return
    const extra = from.slice()
    this.#lastId = this.#book.keep(id, key, { endpoint: readEndpoint(extra), extra })
    this.#lastFrom = extra
  }

  addressOf(peer: Endpoint): AddressId {
    const raw = this.#socket.rawAddress(peer)
    const key = keyOf(raw)
    return this.#book.keep(this.#book.find(key), key, { endpoint: peer, extra: raw })
  }

  endpointOf(address: AddressId): Endpoint | undefined {
    return this.#book.get(address)?.endpoint
  }

  send(to: AddressId, batch: { buffer: Uint8Array; length: number; segmentSize: number }): boolean {
    const peer = this.#book.get(to)
    if (this.#closed || peer === undefined) return true
    this.#lastActivity = this.#clock()
    const error = this.#socket.sendSegments(peer.extra, {
      address: this.#addresses.of(batch.buffer),
      length: batch.length,
      segmentSize: batch.segmentSize,
    })
    // Any other error (unreachable, filtered, too long for the device) is what loss is to a session.
    return error !== EAGAIN
  }

  wake(): void {
    this.#lastActivity = this.#clock()
    this.#wakeAt = 0
    if (this.#idleTimer === undefined) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = undefined
    setImmediate(this.#turn)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#idleTimer)
    this.#socket.close()
  }
}

/** Family, port and address decide; the kernel leaves the padding behind them undefined. */
function keyOf(raw: RawAddress): string {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.length >= 28 ? 24 : 8).toString('hex')
}

function same(first: Uint8Array, second: Uint8Array): boolean {
  if (first.length !== second.length) return false
  const length = first.length >= 28 ? 24 : 8
  for (let index = 0; index < length; index++) if (first[index] !== second[index]) return false
  return true
}
