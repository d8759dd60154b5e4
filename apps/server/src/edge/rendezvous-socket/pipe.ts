import { KiB } from '@godwit/base'

/** What is kept for a side that does not read, before the other one is held. A frame more may come. */
const HIGH_BYTES = 512 * KiB
const LOW_BYTES = 128 * KiB
/** What a rate lets through at once. */
const BURST_MS = 200

/** What a pipe needs of a WebSocket. */
export interface PipeEnd {
  readonly bufferedAmount: number
  send(frame: Buffer, done: () => void): void
  pause(): void
  resume(): void
}

export interface PipeLimits {
  nowMs(): number
  /** Counts bytes. @returns false when there were too many, and they must not go on */
  count(bytes: number): boolean
  /** Bytes a millisecond; Infinity: no limit. */
  readonly bytesPerMs: number
}

/** Passes frames from one socket to another as they are, no faster than the other one reads. One direction. */
export class Pipe {
  readonly #from: PipeEnd
  readonly #to: PipeEnd
  readonly #limits: PipeLimits
  #credit: number
  #filledAt: number
  #isHeld = false
  #timer: NodeJS.Timeout | undefined

  constructor(from: PipeEnd, to: PipeEnd, limits: PipeLimits) {
    this.#from = from
    this.#to = to
    this.#limits = limits
    this.#credit = limits.bytesPerMs * BURST_MS
    this.#filledAt = limits.nowMs()
  }

  /** @returns false when the limit of bytes is reached */
  pass(frame: Buffer): boolean {
    if (!this.#limits.count(frame.length)) return false
    this.#to.send(frame, () => this.#goOn())
    this.#pay(frame.length)
    if (this.#to.bufferedAmount > HIGH_BYTES) this.#hold()
    return true
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #pay(bytes: number): void {
    const { bytesPerMs, nowMs } = this.#limits
    if (bytesPerMs === Infinity) return
    const now = nowMs()
    this.#credit = Math.min(bytesPerMs * BURST_MS, this.#credit + (now - this.#filledAt) * bytesPerMs) - bytes
    this.#filledAt = now
    if (this.#credit >= 0 || this.#timer !== undefined) return
    this.#hold()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#goOn()
    }, -this.#credit / bytesPerMs)
  }

  #hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#from.pause()
  }

  #goOn(): void {
    if (!this.#isHeld || this.#timer !== undefined || this.#to.bufferedAmount > LOW_BYTES) return
    this.#isHeld = false
    this.#from.resume()
  }
}
