import type { ChunkRange } from '../messages/messages.ts'

/** A set of chunk numbers, one bit each: 128 KiB for a tebibyte. */
export class ChunkSet {
  #bits = new Uint8Array(1024)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(chunk: number): boolean {
    return ((this.#bits[chunk >>> 3] ?? 0) & (1 << (chunk & 7))) !== 0
  }

  /** @returns false when it was there already */
  add(chunk: number): boolean {
    if (this.has(chunk)) return false
    const at = chunk >>> 3
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(this.#bits.length * 2, at + 1))
      grown.set(this.#bits)
      this.#bits = grown
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (chunk & 7))
    this.#size++
    return true
  }
}

/** Joins neighbours of a sorted list of distinct numbers. */
export function toRanges(chunks: readonly number[]): ChunkRange[] {
  const ranges: Array<[number, number]> = []
  for (const chunk of chunks) {
    const last = ranges.at(-1)
    if (last?.[1] === chunk) last[1]++
    else ranges.push([chunk, chunk + 1])
  }
  return ranges
}
