import type { Micros } from './session.types.ts'

const MIN_INTERVAL_US = 1000
const MAX_INTERVAL_US = 20_000
/** Packets that are acknowledged sooner than the interval says. User-space ACK cost is what slows HTTP/3, so not every 2. */
const PACKETS_PER_ACK = 128
/** While the sender starts up, its clock is our ACKs. */
const START_PACKETS = 256
const START_PACKETS_PER_ACK = 8

/** Longest that a receiver waits before it acknowledges, for a path of this round-trip time. */
export function ackInterval(rttUs: Micros): Micros {
  return Math.min(MAX_INTERVAL_US, Math.max(MIN_INTERVAL_US, rttUs / 8))
}

/** Decides when an ACK is due: every max(RTT/8, 1 ms), at most 20 ms, or 128 packets. */
export class AckSchedule {
  #unreported = 0
  #total = 0
  #dueAt = Infinity

  onPacket(now: Micros, rttUs: Micros): void {
    this.#total += 1
    this.#unreported += 1
    if (this.#unreported === 1) this.#dueAt = now + ackInterval(rttUs)
    const limit = this.#total < START_PACKETS ? START_PACKETS_PER_ACK : PACKETS_PER_ACK
    if (this.#unreported >= limit) this.#dueAt = now
  }

  soon(now: Micros): void {
    this.#dueAt = now
  }

  onSent(): void {
    this.#unreported = 0
    this.#dueAt = Infinity
  }

  get dueAt(): Micros {
    return this.#dueAt
  }
}
