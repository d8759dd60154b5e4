/**
 * Memory of the parts under way, used again by the next ones: what a part took would otherwise lie there until the collector comes,
 * which is hundreds of megabytes later.
 */
export class PartMemory {
  #running = 0
  #spare: Buffer[] = []

  /**
   * Lends memory of this size to the work. It is used again only where the work ended well: a request that was broken off may still
   * be sending from it.
   */
  async with(bytes: number, work: (memory: Buffer) => Promise<void>): Promise<void> {
    this.#running++
    try {
      const memory = this.#take(bytes)
      await work(memory.subarray(0, bytes))
      this.#spare.push(memory)
    } finally {
      // Nothing is kept for parts that may never come.
      if (--this.#running === 0) this.#spare = []
    }
  }

  #take(bytes: number): Buffer {
    const found = this.#spare.findIndex(({ length }) => length >= bytes)
    const [memory] = found < 0 ? [] : this.#spare.splice(found, 1)
    return memory ?? Buffer.allocUnsafeSlow(bytes)
  }
}
