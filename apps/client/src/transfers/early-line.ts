import { systemClock } from '@godwit/base'
import { channelClientTls, type TicketChannel } from '@godwit/transfer/endpoints'
import { type Endpoint, type SecuredLine, secureLine } from '@godwit/transport/node'

/** Where the transfer port of a server was the last time, and what secures a line to it. */
export interface KnownPort extends Endpoint {
  readonly channel: TicketChannel
}

export interface KnownPorts {
  /** @returns undefined for a server of which nothing is kept */
  portOf(server: string): Promise<KnownPort | undefined>
  keepPort(server: string, port: KnownPort): Promise<void>
}

/** Servers cut off who says nothing for 15 s. */
const FRESH_MS = 10_000

interface Opened {
  readonly line: SecuredLine
  readonly at: number
}

/**
 * A line to the transfer port, begun as soon as a command begins: over a long one those are two round trips less, since
 * meanwhile the ticket is asked for. What the last ticket secured its line with secures this one. Where the port is not known
 * yet, or is another one now, there is none.
 */
export class EarlyLine implements Disposable {
  readonly #server: string
  readonly #ports: KnownPorts
  readonly #known: Promise<KnownPort | undefined>
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

  /**
   * Once. The port is kept for the next time, and with the channel of this time: one that is used again and again would let
   * others on the way recognize the client.
   * @returns undefined when there is none to this address; else it belongs to the caller
   */
  async take(port: KnownPort): Promise<SecuredLine | undefined> {
    if (this.#isTaken) return undefined
    const known = await this.#known
    await this.#ports.keepPort(this.#server, port)
    if (known?.host !== port.host || known.port !== port.port) {
      this[Symbol.dispose]()
      return undefined
    }
    const opened = await this.#opened
    this.#isTaken = true
    if (opened === undefined || opened.line.socket.destroyed) return undefined
    if (systemClock.monotonic() - opened.at < FRESH_MS) return opened.line
    opened.line.socket.destroy()
    return undefined
  }

  [Symbol.dispose](): void {
    if (this.#isTaken) return
    this.#isTaken = true
    this.#ended.abort()
    void this.#opened.then((opened) => opened?.line.socket.destroy())
  }

  async #open(): Promise<Opened | undefined> {
    const known = await this.#known
    if (known === undefined) return undefined
    const { host, port, channel } = known
    const line = await secureLine({ host, port, tls: channelClientTls(channel), signal: this.#ended.signal })
    // Until somebody takes it, its end concerns nobody.
    line.socket.on('error', () => undefined)
    return { line, at: systemClock.monotonic() }
  }
}
