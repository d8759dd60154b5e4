import type { IncomingMessage } from 'node:http'
import { KiB, type Clock } from '@godwit/base'

/** A sender slower than this for a whole window holds memory and a connection without using them (fault plan, row 27). */
const LEAST_BYTES_PER_SECOND = KiB
const WINDOW_MS = 15_000
/** Even the largest body is whole by then. */
const LONGEST_MS = 5 * 60_000

interface Watched {
  readonly begun: number
  /** Bytes of the connection when the window began. */
  windowBytes: number
  windowStart: number
}

/**
 * Watches bodies that are read whole before anyone acts on them. Byte streams have a watch of their own, because the server may
 * be the slow side there. Time moves by `sweep`, which the owner calls every second or so.
 */
export class SlowBodies {
  readonly #clock: Clock
  readonly #bodies = new Map<IncomingMessage, Watched>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Bodies under way, and those that ended since the last sweep. */
  get size(): number {
    return this.#bodies.size
  }

  watch(req: IncomingMessage): void {
    if (req.complete) return
    const begun = this.#clock.monotonic()
    this.#bodies.set(req, { begun, windowBytes: req.socket.bytesRead, windowStart: begun })
    const forget = (): void => void this.#bodies.delete(req)
    req.once('end', forget)
    req.once('close', forget)
  }

  /** Cuts every sender whose window is over and was too empty, or whose time is over. */
  sweep(): void {
    const now = this.#clock.monotonic()
    for (const [req, body] of this.#bodies) {
      if (req.complete || req.socket.destroyed) {
        // A body that nobody reads has no end event, and one that was answered before its sender left has no close event either.
        this.#bodies.delete(req)
      } else if (now - body.begun >= LONGEST_MS) {
        req.socket.destroy()
      } else if (now - body.windowStart >= WINDOW_MS) {
        const received = req.socket.bytesRead - body.windowBytes
        if (received < (LEAST_BYTES_PER_SECOND * (now - body.windowStart)) / 1000) req.socket.destroy()
        body.windowBytes = req.socket.bytesRead
        body.windowStart = now
      }
    }
  }
}
