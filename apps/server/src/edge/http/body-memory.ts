import { KiB, MiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'

const MOST_BYTES = MiB
const LEAST_BYTES = 64 * KiB
/** A body for which there is no memory waits unread, this long at most. */
const WAIT_MS = 30_000

/** Divides the memory for waiting bytes among the streamed bodies that are being read. */
export class BodyMemory {
  readonly #totalBytes: number
  readonly #places: number
  readonly #waiting = new Set<() => void>()
  #admitted = 0
  #bodies = 0

  /** @param totalBytes what all bodies together may keep of bytes that nobody has taken yet */
  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
    this.#places = Math.max(1, Math.floor(totalBytes / LEAST_BYTES))
  }

  /**
   * Waits for the memory of one more body, in order of arrival.
   * @returns a function that returns it; to be called once
   * @throws AppError SERVER_BUSY after 30 s; the reason of `signal`
   */
  async admit(signal: AbortSignal): Promise<() => void> {
    if (this.#admitted < this.#places) this.#admitted++
    else await this.#turn(signal)
    return () => {
      const [next] = this.#waiting
      if (next === undefined) this.#admitted--
      else next()
    }
  }

  /** The place of a body that leaves passes to the next one in line. */
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const busy = (): void => reject(new AppError('SERVER_BUSY', { retryAfterSeconds: 5 }))
    const leave = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('the body was left'))
    const timer = setTimeout(busy, WAIT_MS)
    const take = (): void => {
      this.#waiting.delete(take)
      resolve()
    }
    this.#waiting.add(take)
    signal.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(take)
      signal.removeEventListener('abort', leave)
    }
  }

  /** @returns a function that gives the share back, once */
  enter(): () => void {
    this.#bodies++
    let isIn = true
    return () => {
      if (isIn) this.#bodies--
      isIn = false
    }
  }

  /** Bytes that may wait in one body before its sender is slowed down. */
  get shareBytes(): number {
    return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, this.#totalBytes / this.#bodies))
  }
}
