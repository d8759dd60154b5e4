import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { MiB, type Clock } from '@godwit/base'
import { streamOf } from './http2.ts'

/** For how long bytes that the sender still has on the way are read and dropped, so that it comes to read the answer. */
export const LINGER_MS = 2_000
/** Reading costs memory until it is collected, so all senders together are dropped no faster than this. */
const WINDOW_MS = 100
const WINDOW_BYTES = 8 * MiB

/** Drops the rest of bodies that nobody wants. Shared by all connections of a server. */
export class DroppedBodies {
  readonly #clock: Pick<Clock, 'monotonic'>
  #windowStart = -Infinity
  #windowBytes = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Drops what comes of a request whose answer leaves before its body was read, then cuts its connection. */
  dropAfter(req: IncomingMessage, res: ServerResponse): void {
    // Before the server's own listener, which would drop them as fast as they come.
    res.prependOnceListener('finish', () => this.drop(req, () => req.complete))
  }

  /** @param isOver whether everything has arrived */
  drop(body: Readable & { readonly socket?: Readable }, isOver: () => boolean): void {
    // A stream of HTTP/2 shares its connection with others, which go on.
    const connection = streamOf(body) ?? body.socket ?? body
    if (isOver() || connection.destroyed) return
    body.on('data', (chunk: Buffer) => this.pace(connection, chunk.length))
    body.resume()
    const timer = setTimeout(() => isOver() || connection.destroy(), LINGER_MS).unref()
    // The timer holds request, answer and connection: thousands of callers that leave at once must not be held with them.
    body.once('close', () => clearTimeout(timer))
  }

  /** Counts dropped bytes, and stops their connection for a moment when there are too many. */
  pace(connection: Readable, bytes: number): void {
    const now = this.#clock.monotonic()
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now
      this.#windowBytes = 0
    }
    this.#windowBytes += bytes
    if (this.#windowBytes <= WINDOW_BYTES) return
    connection.pause()
    setTimeout(() => connection.resume(), this.#windowStart + WINDOW_MS - now).unref()
  }
}
