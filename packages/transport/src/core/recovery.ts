import type { AckHead } from './frames.ts'
import { RttEstimator } from './rtt.ts'
import { PACKET_STATE, SENT, SentPackets, type SentRecord } from './sent-packets.ts'
import type { Micros } from './session.types.ts'
import { WireError } from './wire.errors.ts'

const FIRST_PACKET_THRESHOLD = 3
const MAX_PACKET_THRESHOLD = 2 ** 15
/** RFC 9002 section 6.1.2: a packet is lost 9/8 of a round trip after it left. */
const FIRST_TIME_FRACTION = 1 / 8
const MIN_SHORT_US = 2000
const MIN_PROBE_TIMEOUT_US = 20_000
const MAX_BACKOFF_US = 1_000_000
/** Reordering that has not been seen for this long is forgotten by half. */
const REORDER_MEMORY_US = 10_000_000
/** Acknowledgements after this many probe time-outs end an outage: what it lost says nothing about congestion. */
const OUTAGE_TIMEOUTS = 2

/** What one ACK changed. Reused: borrow, do not keep. */
export interface AckSummary {
  now: Micros
  ackedPackets: number
  ackedBytes: number
  lostPackets: number
  /** 0 when the ACK gives no sample. */
  rttUs: Micros
  /** Bytes per microsecond that reached the peer over the last round trip; 0 when there is no sample. */
  rate: number
  /** The same over the last eighth of a round trip: noisier, but without delay. */
  shortRate: number
  isAppLimited: boolean
  isRoundStart: boolean
  inFlightBytes: number
  /** The first ACK after a silence: losses in it belong to the outage. */
  endsOutage: boolean
}

/** Called for each packet as it is resolved; reads its record from `sent`. */
export interface RecoveryEvents {
  packetAcked(packetNumber: number): void
  packetLost(packetNumber: number, isOutage: boolean): void
  /** Declared lost, but it arrived. */
  packetSpurious(packetNumber: number): void
}

/** Loss detection of one path after RFC 9002 and RACK (RFC 8985), with delivery-rate samples from the receiver's clock. */
export class Recovery {
  readonly sent = new SentPackets()
  readonly rtt = new RttEstimator()
  inFlightBytes = 0
  probeTimeouts = 0
  spuriousPackets = 0
  lostPackets = 0
  readonly #events: RecoveryEvents
  readonly #summary: AckSummary = {
    now: 0,
    ackedPackets: 0,
    ackedBytes: 0,
    lostPackets: 0,
    rttUs: 0,
    rate: 0,
    shortRate: 0,
    isAppLimited: false,
    isRoundStart: false,
    inFlightBytes: 0,
    endsOutage: false,
  }
  #peerAckDelayUs: Micros = 0
  #largestAcked = -1
  #newest = -1
  #packetThreshold = FIRST_PACKET_THRESHOLD
  #timeFraction = FIRST_TIME_FRACTION
  #reorderedAt: Micros = -Infinity
  #lossAt: Micros = Infinity
  #lastSentAt: Micros = 0
  #lastAckAt: Micros = 0
  #deliveredBytes = 0
  #receiverClockUs = -1
  #windowSentAt: Micros = 0
  #nextRoundBytes = 0
  /** Where the running short sample began. */
  readonly #short = { clockUs: -1, bytes: 0, sentAt: 0 }
  #appLimitedUntil = 0

  constructor(events: RecoveryEvents) {
    this.#events = events
  }

  /** Longest that the peer holds an ACK back. */
  set peerAckDelayUs(value: Micros) {
    this.#peerAckDelayUs = value
  }

  get largestAcked(): number {
    return this.#largestAcked
  }

  get lastAckAt(): Micros {
    return this.#lastAckAt
  }

  /** Samples of what is under way only show what was offered, not what the path can do. */
  markAppLimited(): void {
    this.#appLimitedUntil = this.#deliveredBytes + this.inFlightBytes
  }

  /** Uses up a packet number for a packet that needs no acknowledgement. */
  onSentUncounted(record: SentRecord): void {
    const packetNumber = this.sent.push(record)
    this.sent.setState(packetNumber, PACKET_STATE.acked)
    this.sent.settle()
  }

  /** Records a packet that leaves now. The number given was `sent.next`. */
  onSent(record: SentRecord): void {
    if (this.inFlightBytes === 0) {
      this.#windowSentAt = record.sentAt
      // The peer's clock was last heard before the silence: until the next ACK a sample would count the silence.
      this.#appLimitedUntil = Math.max(this.#appLimitedUntil, this.#deliveredBytes + 1)
    }
    if (this.#deliveredBytes < this.#appLimitedUntil) record.flags |= SENT.appLimited
    record.deliveredBytes = this.#deliveredBytes
    record.receiverClockUs = this.#receiverClockUs
    record.windowSentAt = this.#windowSentAt
    this.inFlightBytes += record.bytes
    record.inFlight = this.inFlightBytes
    this.#lastSentAt = record.sentAt
    this.sent.push(record)
  }

  /** @throws WireError when the peer acknowledges what was never sent */
  ackBegin(now: Micros, head: AckHead): void {
    if (head.largest >= this.sent.next) throw new WireError('ack-range')
    const summary = this.#summary
    summary.now = now
    summary.ackedPackets = 0
    summary.ackedBytes = 0
    summary.lostPackets = 0
    summary.rttUs = 0
    summary.rate = 0
    summary.shortRate = 0
    summary.isAppLimited = false
    summary.isRoundStart = false
    summary.endsOutage = this.probeTimeouts >= OUTAGE_TIMEOUTS
    this.#newest = -1
    const isNewLargest = head.largest > this.#largestAcked
    if (isNewLargest && this.sent.state(head.largest) === PACKET_STATE.inFlight) {
      summary.rttUs = Math.max(1, now - this.sent.sentAt(head.largest) - head.delayUs)
      this.rtt.update(summary.rttUs)
    }
    this.#largestAcked = Math.max(this.#largestAcked, head.largest)
  }

  ackRun(first: number, last: number): void {
    const from = Math.max(first, this.sent.remembered)
    for (let packetNumber = from; packetNumber <= last; packetNumber++) {
      const state = this.sent.state(packetNumber)
      if (state === PACKET_STATE.inFlight) this.#onAcked(packetNumber)
      else if (state === PACKET_STATE.lost) this.#onSpurious(packetNumber)
    }
  }

  /** Ends the ACK that `ackBegin` began: samples the rate and declares losses. */
  ackEnd(head: AckHead): AckSummary {
    const summary = this.#summary
    if (summary.ackedPackets > 0) {
      this.probeTimeouts = 0
      this.#lastAckAt = summary.now
      this.#sampleRate(head)
    }
    if (head.receiverClockUs >= this.#receiverClockUs && head.receivedBytes >= this.#deliveredBytes) {
      this.#receiverClockUs = head.receiverClockUs
      this.#deliveredBytes = head.receivedBytes
    }
    this.#detectLoss(summary.now, summary.endsOutage)
    this.sent.settle()
    summary.inFlightBytes = this.inFlightBytes
    return summary
  }

  /** When `onTimer` has something to do; Infinity when nothing is under way. */
  get timerAt(): Micros {
    return Math.min(this.#lossAt, this.#probeAt())
  }

  /** Declares what is late lost; answers true when the silence calls for probes. */
  onTimer(now: Micros): boolean {
    if (now >= this.#lossAt) {
      this.#detectLoss(now, false)
      this.sent.settle()
    }
    if (now < this.#probeAt()) return false
    this.probeTimeouts += 1
    this.#lastSentAt = now
    return true
  }

  /** Gives up everything under way: the bytes go back to the queue, the loss is the outage's. */
  abandon(): void {
    for (let packetNumber = this.sent.oldest; packetNumber < this.sent.next; packetNumber++) {
      if (this.sent.state(packetNumber) === PACKET_STATE.inFlight) this.#onLost(packetNumber, true)
    }
    this.sent.settle()
  }

  #probeAt(): Micros {
    if (this.inFlightBytes === 0) return Infinity
    const timeout = Math.max(MIN_PROBE_TIMEOUT_US, this.rtt.probeTimeout(this.#peerAckDelayUs))
    const backedOff = Math.min(timeout * 2 ** Math.min(this.probeTimeouts, 10), Math.max(MAX_BACKOFF_US, timeout))
    return Math.max(this.#lastSentAt, this.#lastAckAt) + backedOff
  }

  #onAcked(packetNumber: number): void {
    const bytes = this.sent.bytes(packetNumber)
    this.sent.setState(packetNumber, PACKET_STATE.acked)
    this.inFlightBytes -= bytes
    this.#summary.ackedPackets += 1
    this.#summary.ackedBytes += bytes
    if (packetNumber > this.#newest) this.#newest = packetNumber
    this.#events.packetAcked(packetNumber)
  }

  #onSpurious(packetNumber: number): void {
    this.sent.setState(packetNumber, PACKET_STATE.acked)
    this.spuriousPackets += 1
    this.#reorderedAt = this.#summary.now
    const distance = this.#largestAcked - packetNumber
    this.#packetThreshold = Math.min(MAX_PACKET_THRESHOLD, Math.max(this.#packetThreshold, distance + 1))
    const late = this.#summary.now - this.sent.sentAt(packetNumber)
    if (late > this.rtt.smoothed * (1 + this.#timeFraction)) this.#timeFraction = Math.min(1, this.#timeFraction * 1.5)
    this.#events.packetSpurious(packetNumber)
  }

  #onLost(packetNumber: number, isOutage: boolean): void {
    this.sent.setState(packetNumber, PACKET_STATE.lost)
    this.inFlightBytes -= this.sent.bytes(packetNumber)
    this.#summary.lostPackets += 1
    this.lostPackets += 1
    this.#events.packetLost(packetNumber, isOutage)
  }

  /**
   * Rate = what the receiver counted between the last ACK known when the newest packet left and this ACK, by the
   * receiver's clock: delayed, lost or bunched ACKs do not disturb it. Never above the rate of sending.
   */
  #sampleRate(head: AckHead): void {
    const summary = this.#summary
    const newest = this.#newest
    const priorClock = this.sent.receiverClockUs(newest)
    const priorBytes = this.sent.deliveredBytes(newest)
    if (priorBytes >= this.#nextRoundBytes) {
      this.#nextRoundBytes = Math.max(head.receivedBytes, this.#deliveredBytes)
      summary.isRoundStart = true
    }
    const sendElapsed = this.sent.sentAt(newest) - this.sent.windowSentAt(newest)
    this.#windowSentAt = Math.max(this.#windowSentAt, this.sent.sentAt(newest))
    this.#sampleShort(head)
    if (priorClock < 0 || head.receiverClockUs <= priorClock) return
    summary.rate = (head.receivedBytes - priorBytes) / Math.max(head.receiverClockUs - priorClock, sendElapsed)
    summary.isAppLimited = this.sent.has(newest, SENT.appLimited)
  }

  #sampleShort(head: AckHead): void {
    const short = this.#short
    const clockElapsed = head.receiverClockUs - short.clockUs
    if (clockElapsed < Math.max(MIN_SHORT_US, this.rtt.smoothed / 8) && short.clockUs >= 0) return
    const sentAt = this.sent.sentAt(this.#newest)
    const elapsed = Math.max(clockElapsed, sentAt - short.sentAt)
    if (short.clockUs >= 0) this.#summary.shortRate = (head.receivedBytes - short.bytes) / elapsed
    short.clockUs = head.receiverClockUs
    short.bytes = head.receivedBytes
    short.sentAt = sentAt
  }

  #detectLoss(now: Micros, isOutage: boolean): void {
    this.#lossAt = Infinity
    if (now - this.#reorderedAt > REORDER_MEMORY_US) this.#forgetReordering(now)
    const inFlightPackets = this.sent.next - this.sent.oldest
    const threshold = Math.max(FIRST_PACKET_THRESHOLD, Math.min(this.#packetThreshold, inFlightPackets / 2))
    const delay = Math.max(this.rtt.smoothed, this.rtt.latest) * (1 + this.#timeFraction)
    for (let packetNumber = this.sent.oldest; packetNumber < this.#largestAcked; packetNumber++) {
      if (this.sent.state(packetNumber) !== PACKET_STATE.inFlight) continue
      const lostAt = this.sent.sentAt(packetNumber) + delay
      if (lostAt <= now || this.#largestAcked - packetNumber >= threshold) this.#onLost(packetNumber, isOutage)
      else this.#lossAt = Math.min(this.#lossAt, lostAt)
    }
  }

  #forgetReordering(now: Micros): void {
    this.#reorderedAt = now
    this.#packetThreshold = Math.max(FIRST_PACKET_THRESHOLD, Math.floor(this.#packetThreshold / 2))
    this.#timeFraction = Math.max(FIRST_TIME_FRACTION, this.#timeFraction / 2)
  }
}
