import type { IncomingMessage } from 'node:http'
import { KiB, type Clock } from '@godwit/base'

/** A sender slower than this for a whole window holds a connection without using it (fault plan, row 27). */
const LEAST_BYTES_PER_SECOND = KiB
const WINDOW_MS = 60_000

interface Watched {
  /** Bytes of the connection when the window began. */
  windowBytes: number
  windowStart: number
}

/**
 * Watches the bodies that the web framework reads whole before anyone sees them. Byte streams have a watch of their own,
 * because the server may be the slow side there. Time moves by `sweep`, which the owner calls every second or so.
 */
export class SlowBodies {
  readonly #clock: Clock
  readonly #bodies = new Map<IncomingMessage, Watched>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  watch(req: IncomingMessage): void {
    if (req.complete) return
    this.#bodies.set(req, { windowBytes: req.socket.bytesRead, windowStart: this.#clock.monotonic() })
    const forget = (): void => void this.#bodies.delete(req)
    req.once('end', forget)
    req.once('close', forget)
  }

  /** Cuts every sender whose window is over and was too empty. */
  sweep(): void {
    const now = this.#clock.monotonic()
    for (const [req, body] of this.#bodies) {
      // Read by nobody, such a body has no end event.
      if (req.complete) this.#bodies.delete(req)
      if (req.complete || now - body.windowStart < WINDOW_MS) continue
      const received = req.socket.bytesRead - body.windowBytes
      if (received < (LEAST_BYTES_PER_SECOND * (now - body.windowStart)) / 1000) req.socket.destroy()
      body.windowBytes = req.socket.bytesRead
      body.windowStart = now
    }
  }
}
