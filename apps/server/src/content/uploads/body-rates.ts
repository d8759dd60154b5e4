import { KiB, type Clock } from '@godwit/base'
import type { ByteSource } from '@godwit/storage'

/** A sender below this for a whole window holds a connection and a part without using them (fault plan, row 27). */
export const LEAST_BYTES_PER_SECOND = KiB
export const RATE_WINDOW_MS = 60_000

interface Body {
  bytes: number
  /** Whether the server waits for the sender; while it writes, slowness is not the sender's. */
  isAwaited: boolean
  windowBytes: number
  windowStart: number
  readonly cut: () => void
}

/** Watches the request bodies under way. Time moves by `sweep`, which the owner calls every second or so. */
export class BodyRates {
  readonly #clock: Clock
  readonly #bodies = new Set<Body>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param cut ends the request; called once when the sender was too slow for a whole window */
  async *watch(source: ByteSource, cut: () => void): AsyncGenerator<Uint8Array, void, void> {
    const body = { bytes: 0, isAwaited: true, windowBytes: 0, windowStart: this.#clock.monotonic(), cut }
    this.#bodies.add(body)
    try {
      for await (const chunk of source) {
        body.bytes += chunk.length
        body.isAwaited = false
        yield chunk
        body.isAwaited = true
      }
    } finally {
      this.#bodies.delete(body)
    }
  }

  sweep(): void {
    const now = this.#clock.monotonic()
    for (const body of this.#bodies) {
      if (now - body.windowStart < RATE_WINDOW_MS) continue
      const least = ((now - body.windowStart) / 1000) * LEAST_BYTES_PER_SECOND
      if (body.isAwaited && body.bytes - body.windowBytes < least) {
        this.#bodies.delete(body)
        body.cut()
        continue
      }
      body.windowBytes = body.bytes
      body.windowStart = now
    }
  }
}
