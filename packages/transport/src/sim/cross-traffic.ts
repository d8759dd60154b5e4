import type { EventLoop } from './event-loop.ts'
import type { Link } from './links.ts'

/** TCP segment on the wire and its payload. */
const SEGMENT = 1500
const PAYLOAD = 1448
const ACK_BYTES = 52
const DUPLICATE_THRESHOLD = 3
const MIN_RTO_US = 200_000
const FIRST_WINDOW = 10

export type CrossTrafficKind = 'cubic' | 'reno' | 'bbr'

export interface CrossTrafficLinks {
  readonly forward: Link
  readonly reverse: Link
}

/** What a congestion control decides from. Times microseconds, windows packets. */
interface Sample {
  readonly now: number
  readonly rttUs: number
  readonly minRttUs: number
  /** Packets delivered per microsecond over the last round trip. */
  readonly rate: number
  readonly inFlight: number
}

interface TcpControl {
  window: number
  /** Packets per microsecond; 0 sends by the window alone. */
  pace: number
  onAck(sample: Sample): void
  onLoss(sample: Sample): void
  onTimeout(): void
}

/** An endless TCP flow: per-packet acknowledgements, selective repair, one reduction per round trip. Segments are fungible. */
export class TcpFlow {
  deliveredBytes = 0
  readonly #loop: EventLoop
  readonly #links: CrossTrafficLinks
  readonly #control: TcpControl
  readonly #sentAt = new Map<number, { at: number; delivered: number; deliveredAt: number }>()
  #next = 0
  #recoverUntil = -1
  #delivered = 0
  #deliveredAt = 0
  #srtt = 0
  #minRtt = Infinity
  #paceAt = 0
  #isPaceTimerSet = false
  #lastAckAt = 0

  constructor(loop: EventLoop, links: CrossTrafficLinks, kind: CrossTrafficKind) {
    this.#loop = loop
    this.#links = links
    this.#control = CONTROLS[kind]()
  }

  start(): void {
    this.#lastAckAt = this.#loop.now
    this.#fill()
    this.#watch()
  }

  #watch(): void {
    const timeout = Math.max(MIN_RTO_US, this.#srtt * 2)
    this.#loop.at(this.#loop.now + timeout, () => {
      if (this.#loop.now - this.#lastAckAt >= timeout && this.#sentAt.size > 0) {
        this.#sentAt.clear()
        this.#control.onTimeout()
        this.#fill()
      }
      this.#watch()
    })
  }

  #fill(): void {
    const { now } = this.#loop
    while (this.#sentAt.size < Math.floor(this.#control.window)) {
      if (this.#control.pace > 0) {
        if (this.#paceAt > now) {
          this.#wakeForPace()
          return
        }
        this.#paceAt = Math.max(this.#paceAt, now - 1000) + 1 / this.#control.pace
      }
      this.#sendOne(now)
    }
  }

  #wakeForPace(): void {
    if (this.#isPaceTimerSet) return
    this.#isPaceTimerSet = true
    this.#loop.at(this.#paceAt, () => {
      this.#isPaceTimerSet = false
      this.#fill()
    })
  }

  #sendOne(now: number): void {
    const sequence = this.#next++
    this.#sentAt.set(sequence, { at: now, delivered: this.#delivered, deliveredAt: this.#deliveredAt })
    this.#links.forward.send({ wireBytes: SEGMENT, datagram: undefined, deliver: () => this.#arrive(sequence) })
  }

  #arrive(sequence: number): void {
    this.deliveredBytes += PAYLOAD
    this.#links.reverse.send({ wireBytes: ACK_BYTES, datagram: undefined, deliver: () => this.#onAck(sequence) })
  }

  #onAck(sequence: number): void {
    const sent = this.#sentAt.get(sequence)
    if (sent === undefined) return
    this.#sentAt.delete(sequence)
    const sample = this.#sample(sent)
    if (sequence > this.#recoverUntil) this.#control.onAck(sample)
    let isLossy = false
    for (const older of this.#sentAt.keys()) {
      if (older > sequence - DUPLICATE_THRESHOLD) break
      this.#sentAt.delete(older)
      isLossy ||= older > this.#recoverUntil
    }
    if (isLossy) {
      this.#recoverUntil = this.#next - 1
      this.#control.onLoss(sample)
    }
    this.#fill()
  }

  #sample(sent: { at: number; delivered: number; deliveredAt: number }): Sample {
    const { now } = this.#loop
    this.#lastAckAt = now
    const rttUs = now - sent.at
    this.#minRtt = Math.min(this.#minRtt, rttUs)
    this.#srtt = this.#srtt === 0 ? rttUs : this.#srtt + (rttUs - this.#srtt) / 8
    this.#delivered += 1
    const elapsed = now - (sent.deliveredAt === 0 ? sent.at : sent.deliveredAt)
    this.#deliveredAt = now
    const rate = elapsed > 0 ? (this.#delivered - sent.delivered) / elapsed : 0
    return { now, rttUs, minRttUs: this.#minRtt, rate, inFlight: this.#sentAt.size }
  }
}

/** Linux leaves slow start early when the round trip grows (HyStart). */
function hasDelayGrown(sample: Sample): boolean {
  const slack = Math.min(16_000, Math.max(4000, sample.minRttUs / 8))
  return sample.rttUs > sample.minRttUs + slack
}

function newReno(): TcpControl {
  let threshold = Infinity
  return {
    window: FIRST_WINDOW,
    pace: 0,
    onAck() {
      this.window += this.window < threshold ? 1 : 1 / this.window
    },
    onLoss() {
      this.window = Math.max(2, this.window / 2)
      threshold = this.window
    },
    onTimeout() {
      threshold = Math.max(2, this.window / 2)
      this.window = 1
    },
  }
}

/** RFC 9438: C = 0.4, beta = 0.7, with the Reno-friendly region. */
function newCubic(): TcpControl {
  let threshold = Infinity
  let maximum = 0
  let epochAt = -1
  let k = 0
  let friendly = 0
  return {
    window: FIRST_WINDOW,
    pace: 0,
    onAck(sample) {
      if (this.window < threshold) {
        this.window += 1
        if (hasDelayGrown(sample)) threshold = this.window
        return
      }
      if (epochAt < 0) {
        epochAt = sample.now
        maximum = Math.max(maximum, this.window)
        k = cubeRoot((maximum - this.window) / 0.4)
        friendly = this.window
      }
      const seconds = (sample.now - epochAt + sample.rttUs) / 1e6 - k
      const target = Math.min(this.window * 1.5, Math.max(this.window, 0.4 * seconds * seconds * seconds + maximum))
      friendly += 0.53 / this.window
      this.window = Math.max(friendly, this.window + (target - this.window) / this.window)
    },
    onLoss() {
      maximum = this.window < maximum ? this.window * 0.85 : this.window
      this.window = Math.max(2, this.window * 0.7)
      threshold = this.window
      epochAt = -1
    },
    onTimeout() {
      maximum = this.window
      threshold = Math.max(2, this.window * 0.7)
      this.window = 1
      epochAt = -1
    },
  }
}

/** By Newton steps: Math.cbrt need not give the same last bit everywhere. */
function cubeRoot(value: number): number {
  if (value <= 0) return 0
  let root = Math.max(1, value / 3)
  for (let step = 0; step < 60; step++) root -= (root * root * root - value) / (3 * root * root)
  return root
}

const BBR_CYCLE = [1.25, 0.75, 1, 1, 1, 1, 1, 1]

/** BBR version 1: max filter of 10 round trips, eight-phase gain cycle, 200 ms at 4 packets every 10 s. Blind to loss. */
function newBbr(): TcpControl {
  const rates: Array<{ at: number; rate: number }> = []
  let best = 0
  let fullCount = 0
  let fullRate = 0
  let roundAt = 0
  let isStarting = true
  let probeAt = 0
  return {
    window: FIRST_WINDOW,
    pace: 0,
    onAck(sample) {
      const { now, rate, minRttUs } = sample
      while (rates.length > 0 && (rates.at(-1)?.rate ?? 0) <= rate) rates.pop()
      rates.push({ at: now, rate })
      while ((rates[0]?.at ?? now) < now - 10 * sample.rttUs) rates.shift()
      best = rates[0]?.rate ?? rate
      if (now - roundAt > sample.rttUs) {
        roundAt = now
        fullCount = best < fullRate * 1.25 ? fullCount + 1 : 0
        fullRate = Math.max(fullRate, best)
        if (fullCount >= 3) isStarting = false
      }
      if (probeAt === 0) probeAt = now + 10_000_000
      const isProbingRtt = now > probeAt
      if (now > probeAt + 200_000) probeAt = now + 10_000_000
      const phase = BBR_CYCLE[Math.floor(now / minRttUs) % BBR_CYCLE.length] ?? 1
      this.pace = best * (isStarting ? 2.89 : phase)
      const target = best * minRttUs * (isStarting ? 2.89 : 2)
      this.window = isProbingRtt ? 4 : Math.max(4, isStarting ? Math.max(this.window, target) : target)
    },
    onLoss: () => undefined,
    onTimeout() {
      this.window = 4
    },
  }
}

const CONTROLS: Record<CrossTrafficKind, () => TcpControl> = { cubic: newCubic, reno: newReno, bbr: newBbr }
