import { KiB } from '@godwit/base'

const FIRST_BYTES = 4 * KiB

/**
 * Bytes that arrive in pieces of any size, in one piece of memory. A list of pieces would cost a hundred times its bytes when
 * each of them is a single one.
 */
export class GrowingBuffer {
  readonly #onGrow: (bytes: number) => void
  #memory: Buffer
  #length = 0

  /**
   * @param capacity bytes expected; 0 when that is not known
   * @param onGrow is called with the memory before it is taken, and refuses it by throwing
   */
  constructor(capacity: number, onGrow: (bytes: number) => void = () => undefined) {
    this.#onGrow = onGrow
    if (capacity > 0) onGrow(capacity)
    this.#memory = Buffer.allocUnsafeSlow(capacity)
  }

  /** @throws what `onGrow` throws */
  add(piece: Uint8Array): void {
    const needed = this.#length + piece.length
    if (needed > this.#memory.length) this.#grow(Math.max(needed, 2 * this.#memory.length, FIRST_BYTES))
    this.#memory.set(piece, this.#length)
    this.#length = needed
  }

  get length(): number {
    return this.#length
  }

  /** What arrived so far: a view that the next `add` may leave behind. */
  bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  /** Frees the memory at once, without waiting for the collector. Every view of it is empty from then on. */
  free(): void {
    if (this.#memory.length > 0) (this.#memory.buffer as ArrayBuffer).transfer(0)
    this.#memory = Buffer.alloc(0)
    this.#length = 0
  }

  #grow(capacity: number): void {
    this.#onGrow(capacity - this.#memory.length)
    const larger = Buffer.allocUnsafeSlow(capacity)
    larger.set(this.bytes())
    if (this.#memory.length > 0) (this.#memory.buffer as ArrayBuffer).transfer(0)
    this.#memory = larger
  }
}
