/**
 * Names that were seen, as hashes of 53 bits: a folder of a million takes 8 MB for the time it is read. Two names that
 * share a hash, once in billions of folders, keep an entry that is gone until the next scan.
 */
export class NameSet {
  #hashes = new Float64Array(1024)
  #count = 0

  add(name: string): void {
    if (this.#count === this.#hashes.length) {
      const larger = new Float64Array(this.#count * 2)
      larger.set(this.#hashes)
      this.#hashes = larger
    }
    this.#hashes[this.#count++] = hashOf(name)
  }

  /** Nothing is added any more. */
  close(): void {
    this.#hashes = this.#hashes.slice(0, this.#count).toSorted()
  }

  /** After close(). */
  has(name: string): boolean {
    const wanted = hashOf(name)
    let low = 0
    let high = this.#hashes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#hashes[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return this.#hashes[low] === wanted
  }
}

/** cyrb53, public domain. */
function hashOf(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}
