import { type AckHead, FRAME, MAX_ACK_RANGES, MAX_ACK_SPAN, writeAckHead } from './frames.ts'
import { varintLength, writeVarint } from './varints.ts'

/** Every packet is reported in this many ACKs in a row, so that at 10 % loss of ACKs one in 10,000 reports is missed. */
const REPORTS = 4
const RING_BYTES = MAX_ACK_SPAN / 8

/**
 * Which packet numbers of one path have arrived: replay window of 2^17 packets and source of ACK frames in one bitmap.
 * Bit n of the ring is packet n modulo 2^17, so an ACK bitmap is a copy of ring bytes.
 */
export class ReceivedPackets {
  readonly #ring = new Uint8Array(RING_BYTES)
  /** Lowest packet that arrived since the last ACK, and in the intervals between the ACKs before it. */
  readonly #lowest = new Float64Array(REPORTS).fill(Infinity)
  readonly #head: AckHead = { largest: -1, delayUs: 0, receiverClockUs: 0, receivedBytes: 0, receivedPackets: 0 }
  #largestAt = 0
  #latestAt = 0

  get largest(): number {
    return this.#head.largest
  }

  get latestAt(): number {
    return this.#latestAt
  }

  get receivedBytes(): number {
    return this.#head.receivedBytes
  }

  /** False for a packet that arrived before, or is older than the window: a replay, or a copy made by the network. */
  isNew(packetNumber: number): boolean {
    if (packetNumber > this.#head.largest) return true
    if (packetNumber <= this.#head.largest - MAX_ACK_SPAN) return false
    return (this.#byteOf(packetNumber) & (1 << (packetNumber % 8))) === 0
  }

  /** Records an authenticated packet for which `isNew` was true. */
  record(now: number, packetNumber: number, bytes: number): void {
    if (packetNumber > this.#head.largest) {
      this.#clearBetween(this.#head.largest + 1, packetNumber)
      this.#head.largest = packetNumber
      this.#largestAt = now
    }
    const at = this.#indexOf(packetNumber)
    this.#ring[at] = (this.#ring[at] ?? 0) | (1 << (packetNumber % 8))
    this.#lowest[0] = Math.min(this.#lowest[0] ?? Infinity, packetNumber)
    this.#head.receivedBytes += bytes
    this.#head.receivedPackets += 1
    this.#latestAt = now
  }

  /**
   * Writes an ACK of everything that arrived in the last intervals and ends the current one.
   * Uses ranges or a bitmap, whichever is shorter. Nothing has arrived yet: answers `at`.
   */
  writeAck(now: number, target: Uint8Array, span: { at: number; end: number }): number {
    const head = this.#head
    if (head.largest < 0) return span.at
    head.delayUs = Math.max(0, Math.round(now - this.#largestAt))
    head.receiverClockUs = Math.round(this.#latestAt)
    const from = this.#reportFrom()
    this.#lowest.copyWithin(1, 0, REPORTS - 1)
    this.#lowest[0] = Infinity
    const room = span.end - writeAckHead(target, span.at, { type: FRAME.ackBitmap, head }) - 2
    const wanted = Math.floor(head.largest / 8) - Math.floor(from / 8) + 1
    const rangesEnd = this.#writeRanges(target, span, { from, limit: Math.min(wanted, room) })
    if (rangesEnd > 0) return rangesEnd
    return this.#writeBitmap(target, span.at, Math.min(wanted, room))
  }

  #reportFrom(): number {
    let from = this.#head.largest
    for (const lowest of this.#lowest) from = Math.min(from, lowest)
    return Math.max(0, from, this.#head.largest - MAX_ACK_SPAN + 8)
  }

  #writeBitmap(target: Uint8Array, at: number, length: number): number {
    const position = writeVarint(target, writeAckHead(target, at, { type: FRAME.ackBitmap, head: this.#head }), length)
    const first = Math.floor(this.#head.largest / 8) + 1 - length
    for (let index = 0; index < length; index++)
      target[position + index] = this.#ring[(first + index) % RING_BYTES] ?? 0
    // Above `largest` the ring still holds packets of one window ago.
    const lastByte = position + length - 1
    target[lastByte] = (target[lastByte] ?? 0) & (0xff >>> (7 - (this.#head.largest % 8)))
    return position + length
  }

  /** Writes ranges if they take fewer than `limit` bytes; else answers 0. Two passes: the count comes first. */
  #writeRanges(target: Uint8Array, span: { at: number; end: number }, want: { from: number; limit: number }): number {
    let ranges = 0
    let bytes = 2
    this.#forEachRun(want.from, (gap, run) => {
      ranges += 1
      bytes += varintLength(run) + (ranges > 1 ? varintLength(gap) : 0)
      return bytes < want.limit && ranges <= MAX_ACK_RANGES
    })
    if (bytes >= want.limit || ranges > MAX_ACK_RANGES) return 0
    let position = writeVarint(
      target,
      writeAckHead(target, span.at, { type: FRAME.ackRanges, head: this.#head }),
      ranges - 1,
    )
    let isFirst = true
    this.#forEachRun(want.from, (gap, run) => {
      if (!isFirst) position = writeVarint(target, position, gap)
      position = writeVarint(target, position, run)
      isFirst = false
      return true
    })
    return position
  }

  /** Visits runs from the largest packet down: `gap` is missing packets before it less one, `run` its length less one. */
  #forEachRun(from: number, visit: (gap: number, run: number) => boolean): void {
    let at = this.#head.largest
    let gapStart = at
    while (at >= from) {
      while (at >= from && !this.#isSet(at)) at = this.#byteOf(at) === 0 ? Math.floor(at / 8) * 8 - 1 : at - 1
      if (at < from) return
      const last = at
      while (at >= from && this.#isSet(at)) at = this.#byteOf(at) === 0xff ? Math.floor(at / 8) * 8 - 1 : at - 1
      const first = Math.max(at + 1, from)
      if (!visit(Math.max(0, gapStart - last - 1), last - first)) return
      at = first - 1
      gapStart = at
    }
  }

  #isSet(packetNumber: number): boolean {
    return (this.#byteOf(packetNumber) & (1 << (packetNumber % 8))) !== 0
  }

  #byteOf(packetNumber: number): number {
    return this.#ring[this.#indexOf(packetNumber)] ?? 0
  }

  #indexOf(packetNumber: number): number {
    return Math.floor(packetNumber / 8) % RING_BYTES
  }

  /** Forgets what the ring held 2^17 packets ago for the numbers [first, last]. */
  #clearBetween(first: number, last: number): void {
    if (last - first >= MAX_ACK_SPAN) {
      this.#ring.fill(0)
      return
    }
    for (let at = first; at <= last;) {
      const index = this.#indexOf(at)
      if (at % 8 === 0 && last - at >= 7) {
        this.#ring[index] = 0
        at += 8
      } else {
        this.#ring[index] = (this.#ring[index] ?? 0) & ~(1 << (at % 8))
        at += 1
      }
    }
  }
}
