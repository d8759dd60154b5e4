import type { Socket } from 'node:net'
import { systemClock } from '@godwit/base'
import { type Endpoint, openTcp } from '@godwit/transport/node'

/** Where the transfer port of each server was the last time. */
export interface KnownPorts {
  /** @returns undefined for a server of which nothing is kept */
  portOf(server: string): Promise<Endpoint | undefined>
  keepPort(server: string, address: Endpoint): Promise<void>
}

/** Servers cut off who says nothing for 15 s. */
const FRESH_MS = 10_000

interface Opened {
  readonly socket: Socket
  readonly at: number
}

/**
 * A TCP connection to the transfer port, begun as soon as a command begins: over a long line that is a round trip less, since
 * meanwhile the ticket is asked for. Where the port is not known yet, or is another one now, there is none.
 */
export class EarlyLine implements Disposable {
  readonly #server: string
  readonly #ports: KnownPorts
  readonly #known: Promise<Endpoint | undefined>
  readonly #opened: Promise<Opened | undefined>
  readonly #ended = new AbortController()
  #isTaken = false

  constructor(server: string, ports: KnownPorts) {
    this.#server = server
    this.#ports = ports
    this.#known = ports.portOf(server)
    // One that fails is missed by nobody: whoever wants it connects anew, and hears why that fails.
    this.#opened = this.#open().catch(() => undefined)
  }

  /** Once. @returns undefined when there is none to this address; else it belongs to the caller */
  async take(address: Endpoint): Promise<Socket | undefined> {
    if (this.#isTaken) return undefined
    const known = await this.#known
    if (known?.host !== address.host || known.port !== address.port) {
      this[Symbol.dispose]()
      await this.#ports.keepPort(this.#server, address)
      return undefined
    }
    const line = await this.#opened
    this.#isTaken = true
    if (line === undefined || line.socket.destroyed) return undefined
    if (systemClock.monotonic() - line.at < FRESH_MS) return line.socket
    line.socket.destroy()
    return undefined
  }

  [Symbol.dispose](): void {
    if (this.#isTaken) return
    this.#isTaken = true
    this.#ended.abort()
    void this.#opened.then((line) => line?.socket.destroy())
  }

  async #open(): Promise<Opened | undefined> {
    const known = await this.#known
    if (known === undefined) return undefined
    const socket = await openTcp(known, this.#ended.signal)
    // Until somebody takes it, its end concerns nobody.
    socket.on('error', () => undefined)
    return { socket, at: systemClock.monotonic() }
  }
}
