import type { NumberRange } from '../messages/messages.ts'

/** A set of chunk or file numbers, one bit each: 128 KiB for the chunks of a tebibyte. */
export class NumberSet {
  #bits = new Uint8Array(1024)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0
  }

  /** @returns false when it was there already */
  add(number: number): boolean {
    if (this.has(number)) return false
    const at = number >>> 3
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(this.#bits.length * 2, at + 1))
      grown.set(this.#bits)
      this.#bits = grown
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (number & 7))
    this.#size++
    return true
  }
}

/** Ranges that one message holds. */
const MESSAGE_RANGES = 1024

/** Ranges of a sorted list of distinct numbers, in groups of which each fits into one message. */
export function rangeGroups(numbers: readonly number[]): NumberRange[][] {
  const ranges = toRanges(numbers)
  const groups: NumberRange[][] = []
  for (let at = 0; at < ranges.length; at += MESSAGE_RANGES) groups.push(ranges.slice(at, at + MESSAGE_RANGES))
  return groups
}

/** Joins neighbours of a sorted list of distinct numbers. */
function toRanges(numbers: readonly number[]): NumberRange[] {
  const ranges: Array<[number, number]> = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.[1] === number) last[1]++
    else ranges.push([number, number + 1])
  }
  return ranges
}
