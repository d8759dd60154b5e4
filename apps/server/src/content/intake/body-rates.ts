import { KiB, type Clock } from '@godwit/base'
import type { BlockLender } from '@godwit/storage'

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

type Source = AsyncIterator<Uint8Array> & { fillFrom?(lender: BlockLender): void }

/** Watches the request bodies under way. Time moves by `sweep`, which the owner calls every second or so. */
export class BodyRates {
  readonly #clock: Clock
  readonly #bodies = new Set<Body>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param cut ends the request; called once when the sender was too slow for a whole window */
  watch(source: Source, cut: () => void): WatchedBody {
    const body = { bytes: 0, isAwaited: true, windowBytes: 0, windowStart: this.#clock.monotonic(), cut }
    this.#bodies.add(body)
    return new WatchedBody(source, body, () => this.#bodies.delete(body))
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

/** Counts what passes. Written by hand, not as a generator, for the same reason as RequestBody. */
class WatchedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: Source
  readonly #body: Body
  readonly #forget: () => void

  constructor(source: Source, body: Body, forget: () => void) {
    this.#source = source
    this.#body = body
    this.#forget = forget
  }

  fillFrom(lender: BlockLender): void {
    this.#source.fillFrom?.(lender)
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    this.#body.isAwaited = true
    const step = this.#source.next()
    step.then(this.#count, this.#forget)
    return step
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#forget()
    await this.#source.return?.()
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  readonly #count = (step: IteratorResult<Uint8Array>): void => {
    if (step.done === true) return this.#forget()
    this.#body.bytes += step.value.length
    this.#body.isAwaited = false
  }
}
