const FIRST_CAPACITY = 16

/**
 * A set of bytes as sorted, disjoint, non-touching ranges in typed arrays: no garbage per change, so it may be
 * used once per packet. The last position touched is remembered, since packets mostly extend the same range.
 */
export class ByteRanges {
  #starts = new Float64Array(FIRST_CAPACITY)
  #ends = new Float64Array(FIRST_CAPACITY)
  #hint = 0
  #count = 0
  #size = 0

  /** Number of ranges. */
  get count(): number {
    return this.#count
  }

  /** Bytes in the set. */
  get size(): number {
    return this.#size
  }

  startAt(index: number): number {
    return this.#starts[index] ?? 0
  }

  endAt(index: number): number {
    return this.#ends[index] ?? 0
  }

  /** Adds [start, end). Answers how many bytes were not in the set. */
  add(start: number, end: number): number {
    if (end <= start) return 0
    const first = this.#firstEndingFrom(start)
    let last = first
    let covered = 0
    let from = start
    let to = end
    while (last < this.#count && this.startAt(last) <= end) {
      from = Math.min(from, this.startAt(last))
      to = Math.max(to, this.endAt(last))
      covered += this.endAt(last) - this.startAt(last)
      last += 1
    }
    this.#splice(first, last, 1)
    this.#starts[first] = from
    this.#ends[first] = to
    this.#hint = first
    const added = to - from - covered
    this.#size += added
    return added
  }

  /** Removes [start, end). Answers how many bytes were in the set. */
  remove(start: number, end: number): number {
    if (end <= start) return 0
    const first = this.#firstEndingFrom(start + 1)
    let last = first
    let removed = 0
    let head = -1
    let tail = -1
    while (last < this.#count && this.startAt(last) < end) {
      const rangeStart = this.startAt(last)
      const rangeEnd = this.endAt(last)
      if (rangeStart < start) head = rangeStart
      if (rangeEnd > end) tail = rangeEnd
      removed += Math.min(rangeEnd, end) - Math.max(rangeStart, start)
      last += 1
    }
    if (last === first) return 0
    this.#splice(first, last, (head >= 0 ? 1 : 0) + (tail >= 0 ? 1 : 0))
    let at = first
    if (head >= 0) {
      this.#starts[at] = head
      this.#ends[at++] = start
    }
    if (tail >= 0) {
      this.#starts[at] = end
      this.#ends[at] = tail
    }
    this.#size -= removed
    return removed
  }

  has(start: number, end: number): boolean {
    if (end <= start) return true
    const index = this.#firstEndingFrom(start + 1)
    return index < this.#count && this.startAt(index) <= start && this.endAt(index) >= end
  }

  /** Calls `visit` for each part of [start, end) that is not in the set, ascending. The set must not change meanwhile. */
  forEachMissing(start: number, end: number, visit: (start: number, end: number) => void): void {
    let at = start
    for (let index = this.#firstEndingFrom(start + 1); index < this.#count && at < end; index++) {
      const rangeStart = this.startAt(index)
      if (rangeStart >= end) break
      if (rangeStart > at) visit(at, rangeStart)
      at = Math.max(at, this.endAt(index))
    }
    if (at < end) visit(at, end)
  }

  clear(): void {
    this.#count = 0
    this.#size = 0
    this.#hint = 0
  }

  /** Index of the first range with end >= position. */
  #firstEndingFrom(position: number): number {
    const hint = this.#hint
    if (hint < this.#count && this.endAt(hint) >= position && (hint === 0 || this.endAt(hint - 1) < position))
      return hint
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.endAt(middle) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Replaces the ranges [first, last) by `slots` free ones. */
  #splice(first: number, last: number, slots: number): void {
    const shift = slots - (last - first)
    if (shift === 0) return
    if (this.#count + shift > this.#starts.length) this.#grow()
    this.#starts.copyWithin(last + shift, last, this.#count)
    this.#ends.copyWithin(last + shift, last, this.#count)
    this.#count += shift
  }

  #grow(): void {
    const starts = new Float64Array(this.#starts.length * 2)
    const ends = new Float64Array(this.#starts.length * 2)
    starts.set(this.#starts)
    ends.set(this.#ends)
    this.#starts = starts
    this.#ends = ends
  }
}
