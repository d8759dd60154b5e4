import type { Socket } from 'node:net'

/** From the TCP connection to the peer's proof of who it is; a slower one is cut off. */
const PATIENCE_MS = 15_000
/** Connections whose peer has not proven anything, at most. Each costs a TLS handshake, some 80 KiB. */
const MAX_HALF_OPEN = 256
/** Of these from one network, so that a single machine pushes out nobody but itself. */
const MAX_PER_NETWORK = 64

interface Waiting {
  readonly socket: Socket
  readonly network: string
  readonly timer: NodeJS.Timeout
}

/**
 * Connections that have not authenticated yet. When there are too many, the oldest is closed: an honest peer needs two
 * round trips, so the one that has waited longest is the least likely to be honest.
 */
export class HalfOpenConnections {
  readonly #waiting = new Map<string, Waiting>()
  readonly #networks = new Map<string, Set<string>>()

  add(socket: Socket): void {
    const { remoteAddress, remotePort } = socket
    // Closed before it was examined.
    if (remoteAddress === undefined || remotePort === undefined) return void socket.destroy()
    const key = `${remoteAddress} ${remotePort}`
    const network = networkOf(remoteAddress)
    this.#drop(key)
    const timer = setTimeout(() => this.#drop(key), PATIENCE_MS).unref()
    this.#waiting.set(key, { socket, network, timer })
    const neighbours = this.#networks.get(network) ?? new Set()
    this.#networks.set(network, neighbours.add(key))
    socket.once('close', () => this.#forget(key, socket))
    this.#dropOldest(neighbours, MAX_PER_NETWORK)
    this.#dropOldest(this.#waiting, MAX_HALF_OPEN)
  }

  /** The peer has authenticated: from now on its connection manages it. */
  settle(peer: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }): void {
    this.#forget(`${peer.remoteAddress} ${peer.remotePort}`)
  }

  clear(): void {
    for (const key of this.#waiting.keys()) this.#drop(key)
  }

  #dropOldest(keys: { readonly size: number; keys(): Iterable<string> }, most: number): void {
    if (keys.size <= most) return
    const [oldest] = keys.keys()
    if (oldest !== undefined) this.#drop(oldest)
  }

  #drop(key: string): void {
    const waiting = this.#waiting.get(key)
    this.#forget(key)
    waiting?.socket.destroy()
  }

  /** @param only forgets the key when it still stands for this socket: a port may be used again at once */
  #forget(key: string, only?: Socket): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined || (only !== undefined && waiting.socket !== only)) return
    clearTimeout(waiting.timer)
    this.#waiting.delete(key)
    const neighbours = this.#networks.get(waiting.network)
    neighbours?.delete(key)
    if (neighbours?.size === 0) this.#networks.delete(waiting.network)
  }
}

/** The address itself, or the /64 of an IPv6 address, which belongs to one holder as a whole. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - tail.split(':').length
  return [...before, ...new Array<string>(zeros).fill('0')].slice(0, 4).join(':')
}
