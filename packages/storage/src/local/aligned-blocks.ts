import { MiB, Semaphore } from '@godwit/base'
import { alignedBlocks, SECTOR_BYTES } from '../lent-blocks.ts'

export const BLOCK_BYTES = MiB
/** Concurrent direct writes of gathered bytes, which also bounds the memory of all uploads together. */
const BLOCKS = 16

/** A fixed pool of sector-aligned memory. */
export class AlignedBlocks {
  readonly #slots = new Semaphore(BLOCKS)
  readonly #free: Uint8Array[] = []
  #isFilled = false

  /** Lends a block for the time of `work`; waits while all are lent. */
  async use<T>(work: (block: Uint8Array) => Promise<T>): Promise<T> {
    return this.#slots.run(async () => {
      const block = this.#take()
      try {
        return await work(block)
      } finally {
        this.#free.push(block)
      }
    })
  }

  #take(): Uint8Array {
    if (!this.#isFilled) this.#fill()
    const block = this.#free.pop()
    if (block === undefined) throw new Error('more blocks lent than there are')
    return block
  }

  /** Allocated on first use: most stores in tests never write that much. */
  #fill(): void {
    this.#isFilled = true
    this.#free.push(...alignedBlocks({ count: BLOCKS, bytes: BLOCK_BYTES }))
  }
}

export function sectorsBelow(position: number): number {
  return position - (position % SECTOR_BYTES)
}

export function sectorsAbove(position: number): number {
  return sectorsBelow(position + SECTOR_BYTES - 1)
}
