import { ByteRanges } from './byte-ranges.ts'
import type { ObjectId } from './session.types.ts'

/**
 * Holes per object that a peer may make by sending out of order. Stops one-byte holes from holding memory:
 * 2^17 packets under way can make no more than this.
 */
const MAX_HOLES = 2 ** 17
const MAX_OBJECTS = 2 ** 16

/** Which bytes of each object have arrived, over any channel. */
export class ReceiveObjects {
  readonly #objects = new Map<ObjectId, ByteRanges>()

  /** False when the peer opens more objects or holes than anybody needs: a fault of the peer. */
  accepts(id: ObjectId): boolean {
    const known = this.#objects.get(id)
    return known === undefined ? this.#objects.size < MAX_OBJECTS : known.count < MAX_HOLES
  }

  /** Visits what is news of [start, end), then remembers it. Answers how many bytes were news. */
  add(id: ObjectId, range: { start: number; end: number }, visit?: (start: number, end: number) => void): number {
    let ranges = this.#objects.get(id)
    if (ranges === undefined) {
      ranges = new ByteRanges()
      this.#objects.set(id, ranges)
    }
    if (visit !== undefined) ranges.forEachMissing(range.start, range.end, visit)
    return ranges.add(range.start, range.end)
  }

  forget(id: ObjectId): void {
    this.#objects.delete(id)
  }
}
