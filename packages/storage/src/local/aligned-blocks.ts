import { MiB, Semaphore } from '@godwit/base'
import type { BlockLender } from '../object-store.ts'

/** Direct I/O wants memory, position and length in whole sectors; 4 KiB suits every disk and filesystem in use. */
export const SECTOR_BYTES = 4096
export const BLOCK_BYTES = MiB
/** At most this many direct writes of gathered bytes at a time, and this much memory for all uploads together. */
const BLOCKS = 16
/** As much again, and more, for sources that fill blocks themselves: three for each of ten fast ones. */
const LENT_BLOCKS = 32
const WASM_PAGE_BYTES = 65_536

/** The one thing used of WebAssembly, which Node's types leave to the browser's. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
}

/**
 * A fixed pool of sector-aligned memory. JavaScript cannot ask for alignment, but the memory of a WebAssembly instance
 * begins on a page of the machine.
 */
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

  /** Not before the first use: most stores of a test never write that much. */
  #fill(): void {
    this.#isFilled = true
    this.#free.push(...alignedBlocks(BLOCKS))
  }
}

/** Aligned memory that goes out to sources, empty, and comes back from the writer, written. */
export class LentBlocks implements BlockLender {
  #buffer: ArrayBufferLike | undefined
  readonly #free: Uint8Array[] = []
  readonly #onReturned = new Map<number, () => void>()

  borrow(onReturned: () => void): Uint8Array | undefined {
    if (this.#buffer === undefined) {
      this.#free.push(...alignedBlocks(LENT_BLOCKS))
      this.#buffer = this.#free[0]?.buffer
    }
    const block = this.#free.pop()
    if (block !== undefined) this.#onReturned.set(block.byteOffset, onReturned)
    return block
  }

  giveBack(chunk: Uint8Array): void {
    if (chunk.buffer !== this.#buffer) return
    const at = chunk.byteOffset - (chunk.byteOffset % BLOCK_BYTES)
    const onReturned = this.#onReturned.get(at)
    // A second time: the loan had ended already.
    if (onReturned === undefined) return
    this.#onReturned.delete(at)
    this.#free.push(new Uint8Array(chunk.buffer, at, BLOCK_BYTES))
    onReturned()
  }

  /** Whether these bytes lie in a lent block, from a sector of it on: they can be written as they are. */
  isAligned(chunk: Uint8Array): boolean {
    return chunk.buffer === this.#buffer && chunk.byteOffset % SECTOR_BYTES === 0
  }
}

function alignedBlocks(count: number): Uint8Array[] {
  const { buffer } = new WebAssembly.Memory({ initial: (count * BLOCK_BYTES) / WASM_PAGE_BYTES })
  return Array.from({ length: count }, (_, index) => new Uint8Array(buffer, index * BLOCK_BYTES, BLOCK_BYTES))
}

export function sectorsBelow(position: number): number {
  return position - (position % SECTOR_BYTES)
}

export function sectorsAbove(position: number): number {
  return sectorsBelow(position + SECTOR_BYTES - 1)
}
