/** A half-open span of bytes: `start` is in it, `end` is not. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * A set of bytes kept as sorted, disjoint, non-touching ranges.
 * Adding is O(log n + merged); most sets hold one to a few dozen ranges.
 */
export class RangeSet {
  readonly #ranges: Array<{ start: number; end: number }> = []

  constructor(ranges: Iterable<ByteRange> = []) {
    for (const range of ranges) this.add(range.start, range.end)
  }

  /** @throws RangeError on a negative, fractional or inverted range */
  add(start: number, end: number): void {
    check(start, end)
    if (start === end) return
    const first = this.#firstEndingAtOrAfter(start)
    let last = first
    let from = start
    let to = end
    for (let range = this.#ranges[last]; range !== undefined && range.start <= end; range = this.#ranges[++last]) {
      from = Math.min(from, range.start)
      to = Math.max(to, range.end)
    }
    this.#ranges.splice(first, last - first, { start: from, end: to })
  }

  has(start: number, end: number): boolean {
    if (start === end) return true
    const range = this.#ranges[this.#firstEndingAtOrAfter(start + 1)]
    return range !== undefined && range.start <= start && range.end >= end
  }

  /** The parts of [start, end) that are not in the set, ascending. */
  missing(start: number, end: number): ByteRange[] {
    const gaps: ByteRange[] = []
    let at = start
    for (let index = this.#firstEndingAtOrAfter(start + 1); index < this.#ranges.length && at < end; index++) {
      const range = this.#ranges[index]
      if (range === undefined || range.start >= end) break
      if (range.start > at) gaps.push({ start: at, end: range.start })
      at = Math.max(at, range.end)
    }
    if (at < end) gaps.push({ start: at, end })
    return gaps
  }

  /** Bytes in the set. */
  get size(): number {
    return this.#ranges.reduce((sum, range) => sum + range.end - range.start, 0)
  }

  /** Length of the run that begins at 0: what a sequential protocol calls its offset. */
  get prefix(): number {
    const first = this.#ranges[0]
    return first?.start === 0 ? first.end : 0
  }

  toArray(): ByteRange[] {
    return this.#ranges.map(({ start, end }) => ({ start, end }))
  }

  #firstEndingAtOrAfter(position: number): number {
    let low = 0
    let high = this.#ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const range = this.#ranges[middle]
      if (range !== undefined && range.end < position) low = middle + 1
      else high = middle
    }
    return low
  }
}

function check(start: number, end: number): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`not a byte range: [${start}, ${end})`)
  }
}
