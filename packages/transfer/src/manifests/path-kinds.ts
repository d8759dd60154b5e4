/** The kind of entry that has a name. */
export type PathKind = 'file' | 'directory'

const FIRST_SLOTS = 1024
const CODES = { file: 1, directory: 2 } as const satisfies Record<PathKind, number>
const KINDS: ReadonlyArray<PathKind | undefined> = [undefined, 'file', 'directory']

/**
 * Which names are taken, by 64 bits of a hash instead of the name: 9 to 18 bytes for each, where a map of texts takes 150.
 * Two different names meet with a probability of 3e-8 in a million; a name then counts as taken, so a file is refused and
 * never overwritten.
 */
export class PathKinds {
  #high = new Uint32Array(FIRST_SLOTS)
  #low = new Uint32Array(FIRST_SLOTS)
  #codes = new Uint8Array(FIRST_SLOTS)
  #size = 0

  get(name: string): PathKind | undefined {
    const { high, low } = hashOf(name)
    return KINDS[this.#codes[this.#slotOf(high, low)] ?? 0]
  }

  set(name: string, kind: PathKind): void {
    if (this.#size * 2 >= this.#codes.length) this.#grow()
    const { high, low } = hashOf(name)
    const slot = this.#slotOf(high, low)
    if (this.#codes[slot] === 0) this.#size++
    this.#put(slot, { high, low, code: CODES[kind] })
  }

  /** The slot that holds the hash, or the free one where it belongs. */
  #slotOf(high: number, low: number): number {
    const mask = this.#codes.length - 1
    let slot = low & mask
    while (this.#codes[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) slot = (slot + 1) & mask
    return slot
  }

  #put(slot: number, what: { high: number; low: number; code: number }): void {
    this.#high[slot] = what.high
    this.#low[slot] = what.low
    this.#codes[slot] = what.code
  }

  #grow(): void {
    const [highs, lows, codes] = [this.#high, this.#low, this.#codes]
    const slots = codes.length * 2
    this.#high = new Uint32Array(slots)
    this.#low = new Uint32Array(slots)
    this.#codes = new Uint8Array(slots)
    codes.forEach((code, slot) => {
      if (code === 0) return
      const [high, low] = [highs[slot] ?? 0, lows[slot] ?? 0]
      this.#put(this.#slotOf(high, low), { high, low, code })
    })
  }
}

/** Two multiplicative hashes over the UTF-16 units, mixed into each other at the end. */
function hashOf(name: string): { high: number; low: number } {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at)
    one = Math.imul(one ^ unit, 2654435761)
    two = Math.imul(two ^ unit, 1597334677)
  }
  const low = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  const high = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return { high: high >>> 0, low: low >>> 0 }
}
