import type { Micros } from './session.types.ts'

/** A sender blocked by the peer's window probes after this long: the frame that opens it may be lost. */
const PROBE_US = 100_000

/** How much new data the peer may send. */
export class ReceiveWindow {
  readonly #size: number
  #consumed = 0
  #announced = 0
  #received = 0

  constructor(size: number) {
    this.#size = size
  }

  get receivedBytes(): number {
    return this.#received
  }

  /** Total bytes of new data that the peer may send. */
  get #grant(): number {
    return this.#consumed + this.#size
  }

  /** The owner has disposed of bytes. @returns true when the peer should be notified now */
  consume(bytes: number): boolean {
    this.#consumed += bytes
    return this.#grant - this.#announced >= this.#size / 8
  }

  /** The value of the frame that is sent now. */
  announce(): number {
    this.#announced = this.#grant
    return this.#announced
  }

  /** False when the peer goes far beyond its credit. */
  allows(bytes: number): boolean {
    return this.#received + bytes <= this.#grant + this.#size
  }

  onReceived(bytes: number): void {
    this.#received += bytes
  }
}

/** How much new data this side may send. */
export class SendCredit {
  #peerMax = 0
  #sent = 0
  #probeAt: Micros = Infinity

  get left(): number {
    return this.#peerMax - this.#sent
  }

  /** When a blocked sender probes; Infinity when it need not. */
  get probeAt(): Micros {
    return this.#probeAt
  }

  onMaxData(total: number): void {
    this.#peerMax = Math.max(this.#peerMax, total)
  }

  take(bytes: number): void {
    this.#sent += bytes
  }

  /** Bytes that go, or went, by another channel. */
  giveBack(bytes: number): void {
    this.#sent -= bytes
  }

  onBlocked(now: Micros): void {
    if (this.#probeAt === Infinity) this.#probeAt = now + PROBE_US
  }

  /** @returns true once when it is time to probe */
  takeProbe(now: Micros): boolean {
    if (now < this.#probeAt) return false
    this.#probeAt = Infinity
    return true
  }
}
