import { MAX_ACK_SPAN } from './frames.ts'
import type { ObjectId } from './session.types.ts'

export const PACKET_STATE = { free: 0, inFlight: 1, acked: 2, lost: 3 } as const

/** Bits of `flags`. */
export const SENT = {
  /** The network was not the limit when it left: its rate sample may only raise the estimate. */
  appLimited: 1,
  /** A size or path probe: its loss says nothing about congestion. */
  probe: 2,
  /** A later packet carries the same bytes: its loss needs no repair. */
  superseded: 4,
  /** Carries bytes that were sent before. */
  repeat: 8,
} as const

const FIRST_CAPACITY = 256

/** What the sender remembers of one packet at the instant of sending. Reused by the caller. */
export interface SentRecord {
  sentAt: number
  bytes: number
  object: ObjectId
  offset: number
  /** File bytes; 0 for a packet without data. */
  length: number
  flags: number
  /** Times that these bytes were sent as tail copies. */
  copies: number
  /** Phase of the congestion controller, to attribute losses to phases. */
  tag: number
  /** The receiver's count and clock as last heard; see AckHead. */
  deliveredBytes: number
  receiverClockUs: number
  /** Send time of the packet that was acknowledged last. */
  windowSentAt: number
  /** In flight, this packet included. */
  inFlight: number
}

/**
 * Packets of one path from the oldest unresolved to the newest, in typed arrays indexed by packet number modulo
 * a power of two: about 70 bytes each, no garbage per packet. Never more than 2^17: what one ACK can report.
 */
export class SentPackets {
  #capacity = FIRST_CAPACITY
  #sentAt = new Float64Array(FIRST_CAPACITY)
  #bytes = new Uint16Array(FIRST_CAPACITY)
  #object = new Uint32Array(FIRST_CAPACITY)
  #offset = new Float64Array(FIRST_CAPACITY)
  #length = new Uint16Array(FIRST_CAPACITY)
  #flags = new Uint8Array(FIRST_CAPACITY)
  #copies = new Uint8Array(FIRST_CAPACITY)
  #tag = new Uint8Array(FIRST_CAPACITY)
  #state = new Uint8Array(FIRST_CAPACITY)
  #deliveredBytes = new Float64Array(FIRST_CAPACITY)
  #receiverClockUs = new Float64Array(FIRST_CAPACITY)
  #windowSentAt = new Float64Array(FIRST_CAPACITY)
  #inFlight = new Float64Array(FIRST_CAPACITY)
  #next = 0
  #oldest = 0

  /** The number that the next packet gets. */
  get next(): number {
    return this.#next
  }

  /** Every packet below is resolved: acknowledged or lost. */
  get oldest(): number {
    return this.#oldest
  }

  get isFull(): boolean {
    return this.#next - this.#oldest >= MAX_ACK_SPAN - 1
  }

  /** Lowest number whose record still exists. */
  get remembered(): number {
    return Math.max(0, this.#next - this.#capacity)
  }

  /** Gives the record the next packet number. The caller has checked `isFull`. */
  push(record: SentRecord): number {
    if (this.#next - this.#oldest >= this.#capacity) this.#grow()
    const slot = this.#next & (this.#capacity - 1)
    this.#sentAt[slot] = record.sentAt
    this.#bytes[slot] = record.bytes
    this.#object[slot] = record.object
    this.#offset[slot] = record.offset
    this.#length[slot] = record.length
    this.#flags[slot] = record.flags
    this.#copies[slot] = record.copies
    this.#tag[slot] = record.tag
    this.#state[slot] = PACKET_STATE.inFlight
    this.#deliveredBytes[slot] = record.deliveredBytes
    this.#receiverClockUs[slot] = record.receiverClockUs
    this.#windowSentAt[slot] = record.windowSentAt
    this.#inFlight[slot] = record.inFlight
    return this.#next++
  }

  state(packetNumber: number): number {
    return this.#state[packetNumber & (this.#capacity - 1)] ?? 0
  }

  setState(packetNumber: number, state: number): void {
    this.#state[packetNumber & (this.#capacity - 1)] = state
  }

  sentAt(packetNumber: number): number {
    return this.#sentAt[packetNumber & (this.#capacity - 1)] ?? 0
  }

  bytes(packetNumber: number): number {
    return this.#bytes[packetNumber & (this.#capacity - 1)] ?? 0
  }

  object(packetNumber: number): ObjectId {
    return this.#object[packetNumber & (this.#capacity - 1)] ?? 0
  }

  offset(packetNumber: number): number {
    return this.#offset[packetNumber & (this.#capacity - 1)] ?? 0
  }

  length(packetNumber: number): number {
    return this.#length[packetNumber & (this.#capacity - 1)] ?? 0
  }

  has(packetNumber: number, flag: number): boolean {
    return ((this.#flags[packetNumber & (this.#capacity - 1)] ?? 0) & flag) !== 0
  }

  addFlag(packetNumber: number, flag: number): void {
    const slot = packetNumber & (this.#capacity - 1)
    this.#flags[slot] = (this.#flags[slot] ?? 0) | flag
  }

  copies(packetNumber: number): number {
    return this.#copies[packetNumber & (this.#capacity - 1)] ?? 0
  }

  tag(packetNumber: number): number {
    return this.#tag[packetNumber & (this.#capacity - 1)] ?? 0
  }

  deliveredBytes(packetNumber: number): number {
    return this.#deliveredBytes[packetNumber & (this.#capacity - 1)] ?? 0
  }

  receiverClockUs(packetNumber: number): number {
    return this.#receiverClockUs[packetNumber & (this.#capacity - 1)] ?? 0
  }

  windowSentAt(packetNumber: number): number {
    return this.#windowSentAt[packetNumber & (this.#capacity - 1)] ?? 0
  }

  inFlight(packetNumber: number): number {
    return this.#inFlight[packetNumber & (this.#capacity - 1)] ?? 0
  }

  /** Moves `oldest` past everything that is resolved. */
  settle(): void {
    while (this.#oldest < this.#next && this.state(this.#oldest) !== PACKET_STATE.inFlight) this.#oldest += 1
  }

  #grow(): void {
    const larger = this.#capacity * 2
    const copy = <T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T => {
      for (let at = this.#oldest; at < this.#next; at++) to[at & (larger - 1)] = from[at & (this.#capacity - 1)] ?? 0
      return to
    }
    this.#sentAt = copy(this.#sentAt, new Float64Array(larger))
    this.#bytes = copy(this.#bytes, new Uint16Array(larger))
    this.#object = copy(this.#object, new Uint32Array(larger))
    this.#offset = copy(this.#offset, new Float64Array(larger))
    this.#length = copy(this.#length, new Uint16Array(larger))
    this.#flags = copy(this.#flags, new Uint8Array(larger))
    this.#copies = copy(this.#copies, new Uint8Array(larger))
    this.#tag = copy(this.#tag, new Uint8Array(larger))
    this.#state = copy(this.#state, new Uint8Array(larger))
    this.#deliveredBytes = copy(this.#deliveredBytes, new Float64Array(larger))
    this.#receiverClockUs = copy(this.#receiverClockUs, new Float64Array(larger))
    this.#windowSentAt = copy(this.#windowSentAt, new Float64Array(larger))
    this.#inFlight = copy(this.#inFlight, new Float64Array(larger))
    this.#capacity = larger
  }
}
