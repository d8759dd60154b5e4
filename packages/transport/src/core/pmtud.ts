import { MAX_PACKET, MIN_PACKET } from './packets.ts'
import type { Micros } from './session.types.ts'

/** Safe on nearly every path, as in QUIC. */
export const BASE_PACKET = 1200
const LADDER = [1280, 1360, 1400, MAX_PACKET]
const TRIES = 3
/** RFC 8899 PMTU_RAISE_TIMER. */
const RAISE_AFTER_US = 600_000_000
const RETRY_AFTER_US = 60_000_000
const BLACK_HOLE_LOSSES = 10

/** Packet size of one path: DPLPMTUD (RFC 8899) over a ladder of useful sizes, and detection of black holes. */
export class PacketSizes {
  readonly #max: number
  #current: number
  #probeSize = 0
  #tries = 0
  #nextAt: Micros = 0
  #largeLost = 0
  #hasSmallAck = false

  constructor(max: number, validated: number) {
    this.#max = Math.min(MAX_PACKET, Math.max(MIN_PACKET, max))
    this.#current = Math.min(this.#max, validated)
  }

  /** UDP payload bytes of a full packet. */
  get current(): number {
    return this.#current
  }

  /** Size of the probe to send now; 0 when none is due. */
  probeDue(now: Micros): number {
    return this.#probeSize === 0 && now >= this.#nextAt ? this.#candidate() : 0
  }

  /** When `probeDue` may next answer a size. */
  get probeAt(): Micros {
    return this.#probeSize === 0 && this.#candidate() > 0 ? this.#nextAt : Infinity
  }

  onProbeSent(size: number): void {
    this.#probeSize = size
  }

  onProbeAcked(size: number): void {
    this.#current = Math.max(this.#current, Math.min(size, this.#max))
    this.#probeSize = 0
    this.#tries = 0
  }

  onProbeLost(now: Micros): void {
    this.#tries += 1
    if (this.#tries >= TRIES) {
      this.#tries = 0
      this.#nextAt = now + RAISE_AFTER_US
    }
    this.#probeSize = 0
  }

  onPacketAcked(bytes: number): void {
    if (bytes >= this.#current) {
      this.#largeLost = 0
      this.#hasSmallAck = false
    } else if (this.#largeLost > 0) this.#hasSmallAck = true
  }

  /** Full packets vanish while small ones come through: the path has become narrower without saying so. */
  onPacketLost(now: Micros, bytes: number): void {
    if (bytes < this.#current) return
    this.#largeLost += 1
    if (this.#largeLost < BLACK_HOLE_LOSSES || !this.#hasSmallAck || this.#current === MIN_PACKET) return
    this.#current = this.#current > BASE_PACKET ? BASE_PACKET : MIN_PACKET
    this.#largeLost = 0
    this.#hasSmallAck = false
    this.#nextAt = now + RETRY_AFTER_US
  }

  #candidate(): number {
    if (this.#current < BASE_PACKET && this.#max > this.#current) return Math.min(BASE_PACKET, this.#max)
    for (const size of LADDER) if (size > this.#current && size <= this.#max) return size
    return this.#max > this.#current ? this.#max : 0
  }
}
