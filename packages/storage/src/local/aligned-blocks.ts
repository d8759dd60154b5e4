import { MiB, Semaphore } from '@godwit/base'
import type { BlockLender } from '../object-store.ts'

/** Direct I/O wants memory, position and length in whole sectors; 4 KiB suits every disk and filesystem in use. */
export const SECTOR_BYTES = 4096
export const BLOCK_BYTES = MiB
/** Concurrent direct writes of gathered bytes, which also bounds the memory of all uploads together. */
const BLOCKS = 16
/** Further blocks for sources that fill them directly: three for each of ten fast ones. */
const LENT_BLOCKS = 32
const WASM_PAGE_BYTES = 65_536

/** The only part of WebAssembly used here; Node's types leave it to the browser's. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
}

/**
 * A fixed pool of sector-aligned memory. JavaScript cannot request alignment, but the memory of a WebAssembly instance
 * starts at a page boundary.
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

  /** Allocated on first use: most stores in tests never write that much. */
  #fill(): void {
    this.#isFilled = true
    this.#free.push(...alignedBlocks(BLOCKS))
  }
}

/** Aligned memory that is lent to sources, and returned once the writer has written it. */
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

  release(chunk: Uint8Array): void {
    if (chunk.buffer !== this.#buffer) return
    const at = chunk.byteOffset - (chunk.byteOffset % BLOCK_BYTES)
    const onReturned = this.#onReturned.get(at)
    // Released twice: the loan had already ended.
    if (onReturned === undefined) return
    this.#onReturned.delete(at)
    this.#free.push(new Uint8Array(chunk.buffer, at, BLOCK_BYTES))
    onReturned()
  }

  /** Whether these bytes start at a sector of a lent block, so that they can be written without a copy. */
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
