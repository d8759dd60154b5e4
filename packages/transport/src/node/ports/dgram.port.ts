import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { AddressId, Micros } from '../../core/index.ts'
import { AddressBook } from './address-book.ts'
import {
  type DatagramPort,
  type Endpoint,
  type MicroClock,
  type PortHandler,
  type PortOptions,
  SOCKET_BUFFER_BYTES,
} from './port.types.ts'

/** libuv may still hold a datagram after `send` returns; its copy lives here until this many more were sent. */
const COPY_SLOTS = 2048
const COPY_BYTES = 2048
/** Above this queue in libuv the port is full. Below it no copy can be overwritten while it is still queued. */
const MAX_QUEUED_BYTES = 1024 * 1024

/** UDP by node:dgram: every platform, one system call and about 4 microseconds a packet sent, 6 received. */
export async function openDgramPort(options: PortOptions): Promise<DatagramPort> {
  const host = options.host ?? '0.0.0.0'
  const family = isIPv6(host) ? 6 : 4
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // Peers are IP addresses. The default calls the resolver, one tick later, for every datagram.
    lookup: (name, _options, done) => done(null, name, family),
  })
  // Registered before bind: with a lookup that answers at once the event comes from inside it.
  const listening = once(socket, 'listening')
  socket.bind({ port: options.port ?? 0, address: host })
  await listening
  enlargeBuffers(socket)
  return new DgramPort(socket, options.clock)
}

/** The kernel grants what it may; a refusal leaves its default, with which everything works, slower. */
function enlargeBuffers(socket: Socket): void {
  for (const size of [SOCKET_BUFFER_BYTES, SOCKET_BUFFER_BYTES / 2, SOCKET_BUFFER_BYTES / 8]) {
    try {
      socket.setRecvBufferSize(size)
      socket.setSendBufferSize(size)
      return
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
    }
  }
}

class DgramPort implements DatagramPort {
  readonly kind = 'portable'
  readonly setsDontFragment = false
  readonly local: Endpoint
  readonly #socket: Socket
  readonly #clock: MicroClock
  readonly #book = new AddressBook<undefined>()
  readonly #copies = Buffer.alloc(COPY_SLOTS * COPY_BYTES)
  #nextCopy = 0
  #handler: PortHandler | undefined
  #timer: NodeJS.Timeout | undefined
  #wakeAt: Micros = Infinity
  #pumpQueued = false
  #closed = false

  constructor(socket: Socket, clock: MicroClock) {
    this.#socket = socket
    this.#clock = clock
    const { address, port } = socket.address()
    this.local = { host: address, port }
  }

  start(handler: PortHandler): void {
    this.#handler = handler
    this.#socket.on('message', (message, from) => this.#receive(handler, message, from))
    // A refused or unreachable peer is no fault of this socket: the session sees it as silence.
    this.#socket.on('error', () => undefined)
    this.wake()
  }

  #receive(handler: PortHandler, message: Buffer, from: RemoteInfo): void {
    if (message.length === 0) return
    const peer = { host: from.address, port: from.port }
    const id = this.#book.find(keyOf(peer))
    if (!handler.onDatagrams({ buffer: message, segmentSize: message.length, from: id, ageUs: 0 })) return
    this.#book.keep(id, keyOf(peer), { endpoint: peer, extra: undefined })
    this.wake()
  }

  addressOf(peer: Endpoint): AddressId {
    const id = this.#book.find(keyOf(peer))
    return this.#book.keep(id, keyOf(peer), { endpoint: peer, extra: undefined })
  }

  endpointOf(address: AddressId): Endpoint | undefined {
    return this.#book.get(address)?.endpoint
  }

  send(to: AddressId, batch: { buffer: Uint8Array; length: number; segmentSize: number }): boolean {
    const peer = this.endpointOf(to)
    if (this.#closed || peer === undefined) return true
    if (this.#socket.getSendQueueSize() + batch.length > MAX_QUEUED_BYTES) return false
    for (let start = 0; start < batch.length; start += batch.segmentSize) {
      const end = Math.min(start + batch.segmentSize, batch.length)
      const copy = this.#copy(batch.buffer.subarray(start, end))
      // Errors (network down, filtered) are loss; without a callback they would be thrown.
      this.#socket.send(copy, peer.port, peer.host, ignore)
    }
    return true
  }

  #copy(bytes: Uint8Array): Buffer {
    const at = this.#nextCopy * COPY_BYTES
    this.#nextCopy = (this.#nextCopy + 1) % COPY_SLOTS
    this.#copies.set(bytes, at)
    return this.#copies.subarray(at, at + bytes.length)
  }

  /** One pump for all datagrams of a turn of the event loop. */
  wake(): void {
    if (this.#pumpQueued || this.#closed) return
    this.#pumpQueued = true
    setImmediate(() => {
      this.#pumpQueued = false
      this.#pump()
    })
  }

  #pump(): void {
    if (this.#closed || this.#handler === undefined) return
    const wakeAt = this.#handler.onWake()
    if (this.#timer !== undefined && this.#wakeAt <= wakeAt && this.#wakeAt > this.#clock()) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#wakeAt = wakeAt
    if (wakeAt === Infinity) return
    // Timers count whole milliseconds; the pacer's byte budget makes up for the coarse steps.
    const delayMs = Math.max(1, Math.ceil((wakeAt - this.#clock()) / 1000))
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#pump()
    }, delayMs)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    this.#socket.close()
  }
}

function keyOf(peer: Endpoint): string {
  return `${peer.host} ${peer.port}`
}

function ignore(): void {
  // Loss is what the session's recovery is for.
}
