import { ByteRanges } from './byte-ranges.ts'
import type { ObjectId } from './session.types.ts'

const MAX_OBJECTS = 2 ** 16
/**
 * Ranges over all objects. Holes are made by sending out of order, and 2^17 packets under way can make no more than
 * that many; stops one-byte holes from holding memory.
 */
const MAX_RANGES = MAX_OBJECTS + 2 ** 17

/** Which bytes of each object have arrived, over any channel. */
export class ReceiveObjects {
  readonly #objects = new Map<ObjectId, ByteRanges>()
  #ranges = 0

  /** False when the peer opens more objects or holes than any transfer needs: a fault of the peer. */
  accepts(id: ObjectId): boolean {
    return this.#ranges < MAX_RANGES && (this.#objects.size < MAX_OBJECTS || this.#objects.has(id))
  }

  /** Visits what is news of [start, end), then remembers it. Answers how many bytes were news. */
  add(id: ObjectId, range: { start: number; end: number }, visit?: (start: number, end: number) => void): number {
    let ranges = this.#objects.get(id)
    if (ranges === undefined) {
      ranges = new ByteRanges()
      this.#objects.set(id, ranges)
    }
    if (visit !== undefined) ranges.forEachMissing(range.start, range.end, visit)
    const before = ranges.count
    const news = ranges.add(range.start, range.end)
    this.#ranges += ranges.count - before
    return news
  }

  forget(id: ObjectId): void {
    this.#ranges -= this.#objects.get(id)?.count ?? 0
    this.#objects.delete(id)
  }
}
