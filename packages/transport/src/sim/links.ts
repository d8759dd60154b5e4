import type { Dice } from './dice.ts'
import type { EventLoop } from './event-loop.ts'

/** IPv4 and UDP headers, counted by the link. */
export const IP_UDP_BYTES = 28

/** A packet on its way. `datagram` is undefined for cross traffic. */
export interface SimPacket {
  /** Bytes on the wire, IP header included. */
  readonly wireBytes: number
  readonly datagram: Uint8Array | undefined
  /** Called at the far end. `datagram` may have been corrupted on the way. */
  readonly deliver: (datagram: Uint8Array | undefined) => void
}

/** One direction of a network. Probabilities are 0 to 1, times microseconds, rates bits per second of IP bytes. */
export interface LinkOptions {
  readonly rate: number
  /** Drop-tail queue, bytes. */
  readonly queueBytes: number
  readonly delayUs: number
  readonly jitterUs?: number
  /** This share of packets is held back by `reorderUs`. */
  readonly reorder?: number
  readonly reorderUs?: number
  readonly loss?: number
  /** Mean length of a burst of losses; 1 is Bernoulli, above it Gilbert-Elliott at the same average. */
  readonly lossBurst?: number
  /** Losses strike behind the bottleneck instead of before it. */
  readonly isLossAfter?: boolean
  readonly duplicate?: number
  /** This share of packets gets one bit flipped. */
  readonly corrupt?: number
  /** Larger IP packets are dropped silently. */
  readonly mtu?: number
  /** From this second on the MTU is another one. */
  readonly mtuAfter?: { readonly seconds: number; readonly mtu: number }
  readonly policer?: { readonly rate: number; readonly burstBytes: number }
  /** Nothing passes while this is true. */
  readonly isDown?: (now: number) => boolean
}

export interface LinkCounts {
  passedPackets: number
  passedBytes: number
  lostPackets: number
  queueDrops: number
  oversized: number
}

/** Arrival -> loss -> policer -> queue (drop-tail) -> serialisation -> [loss] -> delay, jitter, reordering, copies, bit flips. */
export class Link {
  readonly counts: LinkCounts = { passedPackets: 0, passedBytes: 0, lostPackets: 0, queueDrops: 0, oversized: 0 }
  readonly #loop: EventLoop
  readonly #dice: Dice
  readonly #options: LinkOptions
  #busyUntil = 0
  #isBursting = false
  #policerCredit: number
  #policerAt = 0

  constructor(loop: EventLoop, dice: Dice, options: LinkOptions) {
    this.#loop = loop
    this.#dice = dice
    this.#options = options
    this.#policerCredit = options.policer?.burstBytes ?? 0
  }

  /** Bytes waiting now. */
  get backlog(): number {
    return (Math.max(0, this.#busyUntil - this.#loop.now) * this.#options.rate) / 8e6
  }

  send(packet: SimPacket): void {
    const { isDown, isLossAfter, rate, queueBytes } = this.#options
    if (packet.wireBytes > this.#mtu()) {
      this.counts.oversized += 1
      return
    }
    if (isDown?.(this.#loop.now) === true || (isLossAfter !== true && this.#isLost()) || !this.#passesPolicer(packet)) {
      this.counts.lostPackets += 1
      return
    }
    if (this.backlog + packet.wireBytes > queueBytes) {
      this.counts.queueDrops += 1
      return
    }
    this.#busyUntil = Math.max(this.#loop.now, this.#busyUntil) + (packet.wireBytes * 8e6) / rate
    if (isLossAfter === true && this.#isLost()) {
      this.counts.lostPackets += 1
      return
    }
    this.#carry(packet)
  }

  #mtu(): number {
    const { mtu = Infinity, mtuAfter } = this.#options
    return mtuAfter !== undefined && this.#loop.now >= mtuAfter.seconds * 1e6 ? mtuAfter.mtu : mtu
  }

  #carry(packet: SimPacket): void {
    const { delayUs, jitterUs = 0, reorder = 0, reorderUs = 0, duplicate = 0, corrupt = 0 } = this.#options
    const jitter = jitterUs > 0 ? this.#dice.next() * jitterUs : 0
    const held = reorder > 0 && this.#dice.next() < reorder ? reorderUs : 0
    const datagram = corrupt > 0 && this.#dice.next() < corrupt ? this.#flip(packet.datagram) : packet.datagram
    const copies = duplicate > 0 && this.#dice.next() < duplicate ? 2 : 1
    this.counts.passedPackets += 1
    this.counts.passedBytes += packet.wireBytes
    for (let copy = 0; copy < copies; copy++) {
      // Decryption works in place, so a second copy needs bytes of its own.
      const bytes = copy === 0 ? datagram : datagram?.slice()
      this.#loop.at(this.#busyUntil + delayUs + jitter + held + copy * 50, () => packet.deliver(bytes))
    }
  }

  #flip(datagram: Uint8Array | undefined): Uint8Array | undefined {
    if (datagram === undefined) return undefined
    const at = Math.floor(this.#dice.next() * datagram.length)
    datagram[at] = (datagram[at] ?? 0) ^ (1 << Math.floor(this.#dice.next() * 8))
    return datagram
  }

  #isLost(): boolean {
    const { loss = 0, lossBurst = 1 } = this.#options
    if (loss === 0) return false
    if (lossBurst <= 1) return this.#dice.next() < loss
    const leave = 1 / lossBurst
    const enter = (loss * leave) / (1 - loss)
    this.#isBursting = this.#isBursting ? this.#dice.next() >= leave : this.#dice.next() < enter
    return this.#isBursting
  }

  #passesPolicer(packet: SimPacket): boolean {
    const { policer } = this.#options
    if (policer === undefined) return true
    const earned = ((this.#loop.now - this.#policerAt) * policer.rate) / 8e6
    this.#policerAt = this.#loop.now
    this.#policerCredit = Math.min(policer.burstBytes, this.#policerCredit + earned)
    if (this.#policerCredit < packet.wireBytes) return false
    this.#policerCredit -= packet.wireBytes
    return true
  }
}
