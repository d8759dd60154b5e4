import { LEAF_BYTES } from '@godwit/base'

export type Block = Uint8Array<SharedArrayBuffer>

/** Blocks made at once. Memory that no block was written to yet costs nothing. */
const SLAB_BLOCKS = 16

/** Shared blocks of one leaf each, used again and again: a transfer makes no garbage of its size. */
export class BlockPool {
  readonly #free: Block[] = []
  #made = 0

  /** Blocks in existence, in use or not. */
  get size(): number {
    return this.#made
  }

  take(): Block {
    const free = this.#free.pop()
    if (free !== undefined) return free
    // One large allocation instead of many: each of them makes the garbage collector look for what it could free.
    const slab = new SharedArrayBuffer(SLAB_BLOCKS * LEAF_BYTES)
    for (let index = SLAB_BLOCKS - 1; index > 0; index--)
      this.#free.push(new Uint8Array(slab, index * LEAF_BYTES, LEAF_BYTES))
    this.#made += SLAB_BLOCKS
    return new Uint8Array(slab, 0, LEAF_BYTES)
  }

  release(block: Block): void {
    this.#free.push(block)
  }
}
