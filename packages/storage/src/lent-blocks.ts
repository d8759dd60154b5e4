import type { BlockLender } from './object-store.ts'

const WASM_PAGE_BYTES = 65_536
/** Direct I/O wants memory, position and length in whole sectors; 4 KiB suits every disk and filesystem in use. */
export const SECTOR_BYTES = 4096

/** The only part of WebAssembly used here; Node's types leave it to the browser's. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
}

export interface BlockSizes {
  readonly count: number
  /** Of each block; whole pages of 64 KiB. */
  readonly bytes: number
}

/** Aligned memory that is lent to sources, and returned once the store has taken what is in it. Allocated with the first loan. */
export class LentBlocks implements BlockLender {
  readonly #sizes: BlockSizes
  #buffer: ArrayBufferLike | undefined
  readonly #free: Uint8Array[] = []
  readonly #onReturned = new Map<number, () => void>()

  constructor(sizes: BlockSizes) {
    this.#sizes = sizes
  }

  borrow(onReturned: () => void): Uint8Array | undefined {
    if (this.#buffer === undefined) {
      this.#free.push(...alignedBlocks(this.#sizes))
      this.#buffer = this.#free[0]?.buffer
    }
    const block = this.#free.pop()
    if (block !== undefined) this.#onReturned.set(block.byteOffset, onReturned)
    return block
  }

  release(chunk: Uint8Array): void {
    if (chunk.buffer !== this.#buffer) return
    const { bytes } = this.#sizes
    const at = chunk.byteOffset - (chunk.byteOffset % bytes)
    const onReturned = this.#onReturned.get(at)
    // Released twice: the loan had already ended.
    if (onReturned === undefined) return
    this.#onReturned.delete(at)
    this.#free.push(new Uint8Array(chunk.buffer, at, bytes))
    onReturned()
  }

  /** Whether these bytes start at a sector of a lent block, so that they can be written without a copy. */
  isAligned(chunk: Uint8Array): boolean {
    return chunk.buffer === this.#buffer && chunk.byteOffset % SECTOR_BYTES === 0
  }
}

/** JavaScript cannot request alignment, but the memory of a WebAssembly instance starts at a page boundary. */
export function alignedBlocks({ count, bytes }: BlockSizes): Uint8Array[] {
  const { buffer } = new WebAssembly.Memory({ initial: (count * bytes) / WASM_PAGE_BYTES })
  return Array.from({ length: count }, (_, index) => new Uint8Array(buffer, index * bytes, bytes))
}
