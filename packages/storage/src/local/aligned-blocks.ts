import { MiB, Semaphore } from '@godwit/base'

/** Direct I/O wants memory, position and length in whole sectors; 4 KiB suits every disk and filesystem in use. */
export const SECTOR_BYTES = 4096
export const BLOCK_BYTES = MiB
/** At most this many direct writes at a time, and this much memory for all uploads together. */
const BLOCKS = 16
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
    const { buffer } = new WebAssembly.Memory({ initial: (BLOCKS * BLOCK_BYTES) / WASM_PAGE_BYTES })
    for (let at = 0; at < buffer.byteLength; at += BLOCK_BYTES) this.#free.push(new Uint8Array(buffer, at, BLOCK_BYTES))
  }
}

export function sectorsBelow(position: number): number {
  return position - (position % SECTOR_BYTES)
}

export function sectorsAbove(position: number): number {
  return sectorsBelow(position + SECTOR_BYTES - 1)
}
