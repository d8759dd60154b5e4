import { KiB, MiB } from '@godwit/base'

/** What all bodies together may keep of bytes that nobody has taken yet, as long as each may keep one read of the socket. */
const ALL_BYTES = 32 * MiB
const MOST_BYTES = MiB
const LEAST_BYTES = 64 * KiB

/** Divides the memory for waiting bytes among the bodies that are being read. */
export class BodyMemory {
  #bodies = 0

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
    return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, ALL_BYTES / this.#bodies))
  }
}
