import { ByteRanges } from './byte-ranges.ts'
import type { ObjectId, ObjectRange } from './session.types.ts'

/** A piece of an object chosen to be sent. Reused. */
export interface Piece {
  object: ObjectId
  offset: number
  length: number
  /** Was sent before. */
  isRepair: boolean
}

interface SendObject {
  readonly id: ObjectId
  /** Requested and never sent. */
  readonly fresh: ByteRanges
  /** Sent and lost. */
  readonly repairs: ByteRanges
  readonly acked: ByteRanges
  /** Everything that was ever requested. */
  readonly wanted: ByteRanges
}

/** What has to be sent: repairs first, then new data; within each the lower object id first, then the lower offset. */
export class SendQueue {
  readonly #objects = new Map<ObjectId, SendObject>()
  #active: SendObject[] = []
  #pending = 0
  #repairs = 0
  #unacked = 0

  /** Bytes that wait. */
  get pendingBytes(): number {
    return this.#pending
  }

  get repairBytes(): number {
    return this.#repairs
  }

  /** Bytes that wait or are under way. */
  get unackedBytes(): number {
    return this.#unacked
  }

  add(id: ObjectId, start: number, end: number): void {
    const object = this.#objectOf(id)
    object.wanted.forEachMissing(start, end, (from, to) => {
      this.#pending += object.fresh.add(from, to)
      this.#unacked += to - from
    })
    object.wanted.add(start, end)
    this.#activate(object)
  }

  /** Chooses at most `maxBytes`, of new data at most `credit`; false when nothing may be sent. */
  peek(into: Piece, maxBytes: number, credit: number): boolean {
    if (this.#pending === 0) return false
    for (const object of this.#active) {
      if (object.repairs.count > 0) return fill(into, object, { ranges: object.repairs, maxBytes, isRepair: true })
    }
    if (credit <= 0) return false
    for (const object of this.#active) {
      if (object.fresh.count === 0) continue
      return fill(into, object, { ranges: object.fresh, maxBytes: Math.min(maxBytes, credit), isRepair: false })
    }
    return false
  }

  /** The piece is under way. */
  take(piece: Piece): void {
    const object = this.#objects.get(piece.object)
    if (object === undefined) return
    const end = piece.offset + piece.length
    if (piece.isRepair) this.#repairs -= object.repairs.remove(piece.offset, end)
    else object.fresh.remove(piece.offset, end)
    this.#pending -= piece.length
    this.#retire(object)
  }

  /** Bytes came through. Visits each part that is news. */
  acked(id: ObjectId, range: { start: number; end: number }, visit: (start: number, end: number) => void): void {
    const object = this.#objects.get(id)
    if (object === undefined) return
    object.acked.forEachMissing(range.start, range.end, visit)
    const added = object.acked.add(range.start, range.end)
    if (added === 0) return
    this.#unacked -= added
    if (object.repairs.count === 0 && object.fresh.count === 0) return
    this.#dequeue(object, range.start, range.end)
  }

  /** Bytes were lost: what of them did not arrive otherwise is sent again. */
  lost(id: ObjectId, start: number, end: number): void {
    const object = this.#objects.get(id)
    if (object === undefined) return
    object.acked.forEachMissing(start, end, (from, to) => {
      const added = object.repairs.add(from, to)
      this.#repairs += added
      this.#pending += added
    })
    if (object.repairs.count > 0) this.#activate(object)
  }

  /** Another channel delivered bytes, wanted here or not. Answers how many of them had been sent here and were due again. */
  deliveredElsewhere(id: ObjectId, start: number, end: number): number {
    const object = this.#objectOf(id)
    this.#unacked += object.wanted.add(start, end)
    const repairs = this.#dequeue(object, start, end)
    this.#unacked -= object.acked.add(start, end)
    return repairs
  }

  /** Takes the lowest waiting range out, for another channel; repairs first. */
  withdraw(maxBytes: number): (ObjectRange & { readonly isRepair: boolean }) | undefined {
    const piece: Piece = { object: 0, offset: 0, length: 0, isRepair: false }
    if (!this.peek(piece, maxBytes, Infinity)) return undefined
    this.take(piece)
    return {
      object: piece.object,
      start: piece.offset,
      end: piece.offset + piece.length,
      isRepair: piece.isRepair,
    }
  }

  isAcked(id: ObjectId, start: number, end: number): boolean {
    const object = this.#objects.get(id)
    return object === undefined || object.acked.has(start, end)
  }

  forget(id: ObjectId): void {
    const object = this.#objects.get(id)
    if (object === undefined) return
    this.#pending -= object.fresh.size + object.repairs.size
    this.#repairs -= object.repairs.size
    this.#unacked -= object.wanted.size - object.acked.size
    this.#objects.delete(id)
    this.#active = this.#active.filter((active) => active !== object)
  }

  #objectOf(id: ObjectId): SendObject {
    const known = this.#objects.get(id)
    if (known !== undefined) return known
    const object: SendObject = {
      id,
      fresh: new ByteRanges(),
      repairs: new ByteRanges(),
      acked: new ByteRanges(),
      wanted: new ByteRanges(),
    }
    this.#objects.set(id, object)
    return object
  }

  #dequeue(object: SendObject, start: number, end: number): number {
    const repairs = object.repairs.remove(start, end)
    this.#repairs -= repairs
    this.#pending -= repairs + object.fresh.remove(start, end)
    this.#retire(object)
    return repairs
  }

  #activate(object: SendObject): void {
    if (object.fresh.count + object.repairs.count === 0 || this.#active.includes(object)) return
    this.#active.push(object)
    this.#active.sort((first, second) => first.id - second.id)
  }

  #retire(object: SendObject): void {
    if (object.fresh.count + object.repairs.count > 0) return
    const index = this.#active.indexOf(object)
    if (index >= 0) this.#active.splice(index, 1)
  }
}

function fill(
  into: Piece,
  object: SendObject,
  from: { ranges: ByteRanges; maxBytes: number; isRepair: boolean },
): boolean {
  into.object = object.id
  into.offset = from.ranges.startAt(0)
  into.length = Math.min(from.maxBytes, from.ranges.endAt(0) - into.offset)
  into.isRepair = from.isRepair
  return true
}
