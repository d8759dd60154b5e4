/** Weight of the past halves in this time. */
const HALF_LIFE_MS = 2000
/** Before this much time the average of everything is the better answer. */
const WARM_UP_MS = 3000

/** Smooths a growing byte count into a speed and the time that is left. */
export class SpeedMeter {
  readonly #startedAt: number
  #at: number
  #bytes: number
  readonly #firstBytes: number
  /** What came last, at {@link #at}. */
  #lump = 0
  #speed = 0

  /** @param bytes what is there already and does not count as speed */
  constructor(nowMs: number, bytes = 0) {
    this.#startedAt = nowMs
    this.#at = nowMs
    this.#bytes = bytes
    this.#firstBytes = bytes
  }

  /** @returns bytes per second */
  update(nowMs: number, bytes: number): number {
    const span = nowMs - this.#at
    if (span <= 0) return this.#speed
    const age = nowMs - this.#startedAt
    const come = bytes - this.#bytes
    const now = (come * 1000) / span
    const keep = 0.5 ** (span / HALF_LIFE_MS)
    if (age < WARM_UP_MS) this.#speed = ((bytes - this.#firstBytes) * 1000) / age
    else if (come > 0) this.#speed = this.#speed * keep + now * (1 - keep)
    // On a slow line bytes count a block at a time. Until the next one is due, nothing has become slower.
    else this.#speed = Math.min(this.#speed, (this.#lump * 1000) / span)
    this.#bytes = bytes
    if (come <= 0) return this.#speed
    this.#at = nowMs
    this.#lump = come
    return this.#speed
  }

  get bytesPerSecond(): number {
    return this.#speed
  }

  /** Seconds for `bytesLeft`; undefined while nothing moves. */
  secondsLeft(bytesLeft: number): number | undefined {
    if (bytesLeft <= 0) return 0
    return this.#speed < 1 ? undefined : bytesLeft / this.#speed
  }
}
