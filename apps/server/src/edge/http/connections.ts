import type { Server, Socket } from 'node:net'
import { KiB, type Clock } from '@godwit/base'
import { sourceOf } from '../../identity/auth/index.ts'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { plainFailure } from './answers.ts'
import type { ClientAddresses } from './client-address.ts'

/** Memory of an open connection with a request under way and all the headers it may send. */
const CONNECTION_BYTES = 40 * KiB
/** An ordinary limit of file descriptors is 20,000 and more. */
const MOST_CONNECTIONS = 16_384
/** Browsers never pipeline; whoever sends more requests than this ahead of the answers only fills memory. */
const REQUESTS_AHEAD = 32
const WARN_EVERY_MS = 60_000

/** @param available bytes of memory that the process may use */
export function defaultConnections(available: number): number {
  return Math.min(MOST_CONNECTIONS, Math.max(512, Math.floor(available / 2 / CONNECTION_BYTES)))
}

export interface ConnectionLimits {
  readonly total: number
  /** Of one IPv4 address or IPv6 /64. Trusted proxies carry everybody's connections and have no such limit. */
  readonly perAddress: number
}

export interface ConnectionsDeps {
  readonly limits: ConnectionLimits
  readonly addresses: ClientAddresses
  readonly clock: Clock
  readonly log: Log
}

/** Knows every open connection, those of WebSockets included, and refuses what goes beyond the limits. */
export class Connections {
  readonly #deps: ConnectionsDeps
  readonly #open = new Set<Socket>()
  readonly #perSource = new Map<string, number>()
  readonly #requests = new WeakMap<Socket, number>()
  readonly #refused = new WeakSet<Socket>()
  #warnedAt = -Infinity

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps
  }

  get count(): number {
    return this.#open.size
  }

  watch(server: Server): void {
    server.maxConnections = this.#deps.limits.total
    server.on('connection', (socket) => this.#enter(socket))
    server.on('drop', () => this.#warn('connections were refused: the limit http.maxConnections is reached'))
  }

  /** @returns false when the request must not be served: its connection is being closed */
  beginRequest(socket: Socket, onEnd: (end: () => void) => void): boolean {
    if (this.#refused.has(socket) || socket.destroyed) return false
    const underWay = (this.#requests.get(socket) ?? 0) + 1
    if (underWay > REQUESTS_AHEAD) {
      socket.destroy()
      return false
    }
    this.#requests.set(socket, underWay)
    onEnd(() => this.#requests.set(socket, (this.#requests.get(socket) ?? 1) - 1))
    return true
  }

  closeAll(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #enter(socket: Socket): void {
    // A connection that comes back after a streamed body is known.
    if (this.#open.has(socket)) return
    const address = socket.remoteAddress ?? ''
    const source = this.#deps.addresses.isProxy(address) ? undefined : sourceOf(address)
    this.#open.add(socket)
    const count = this.#count(source, 1)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#count(source, -1)
    })
    if (count > this.#deps.limits.perAddress || this.#open.size > this.#deps.limits.total) this.#refuse(socket, source)
  }

  #count(source: string | undefined, change: 1 | -1): number {
    if (source === undefined) return 0
    const count = (this.#perSource.get(source) ?? 0) + change
    if (count === 0) this.#perSource.delete(source)
    else this.#perSource.set(source, count)
    return count
  }

  #refuse(socket: Socket, source: string | undefined): void {
    this.#refused.add(socket)
    this.#warn('connections were refused: the limit http.maxConnectionsPerAddress is reached', { source })
    socket.on('error', () => socket.destroy())
    socket.end(plainFailure(new AppError('SERVER_BUSY', { retryAfterSeconds: 5 })), () => socket.destroy())
  }

  #warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const now = this.#deps.clock.monotonic()
    if (now - this.#warnedAt < WARN_EVERY_MS) return
    this.#warnedAt = now
    this.#deps.log.warn(fields, message)
  }
}
