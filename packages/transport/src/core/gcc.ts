// One file, because it is one state machine of seven phases that share one model.
import type { Random } from '@godwit/base'

import type { CongestionControl } from './congestion.types.ts'
import { LossBaseline } from './loss-baseline.ts'
import { type MaxRate, newMaxRate, type MinRtt, newMinRtt } from './path-model.ts'
import type { AckSummary } from './recovery.ts'
import type { Micros, PathModel, Policy } from './session.types.ts'

type Phase = 'startup' | 'drain' | 'down' | 'cruise' | 'refill' | 'up' | 'probe-rtt' | 'step-down'

/** Doubles the delivered rate each round trip: 4 ln 2. */
const STARTUP_GAIN = 2.77
const STARTUP_CWND_GAIN = 3
const DRAIN_GAIN = 0.5
const UP_GAIN = 1.25
const DOWN_GAIN = 0.9
const STEP_DOWN_GAIN = 0.85
/** Lets a queue run off that a slightly high estimate has built up; a small one stays, to bridge pauses of a host. */
const EBB_GAIN = 0.98
const CWND_GAIN = 2
const UP_CWND_GAIN = 2.25
/** The pipe is full when three rounds in a row bring less than a quarter more. */
const FULL_GROWTH = 1.25
const FULL_ROUNDS = 3
/** A probe fails when it loses this much more than the baseline. */
const PROBE_LOSS = 0.02
/** Without a sign of a queue, chance explains more. */
const PROBE_LOSS_UNPRESSED = 0.1
/** A failed probe or an excess of loss leaves this share. */
const BETA = 0.7
const HEADROOM = 0.85
const PROBE_RTT_US = 200_000
const PROBE_RTT_CWND_GAIN = 0.5
/** With no glimpse of an empty queue for this long, one is made. */
const PROBE_RTT_AFTER_US = 5_000_000
/** Time between probes for more: 2 to 3 s, or sooner where Reno would have grown as much (62 rounds). */
const PROBE_WAIT_US = 2_000_000
const PROBE_WAIT_SPREAD_US = 1_000_000
const RENO_ROUNDS = 62
const STEP_DOWN_CYCLES = 8
const STEP_DOWN_MIN_LOSS = 0.005
const STEP_FLAT = 0.93
const HARD_LOSS = 0.25
const HARD_ROUNDS = 3
const MIN_PENALTY = 0.3
const BREAKER_LOSS = 0.5
const BREAKER_US = 5_000_000
const FIRST_CWND_PACKETS = 32
/** The first round trip is sent at no less than this (8 Mbit/s): bulk transfers are not for slower lines. */
const FIRST_RATE = 1
/** A queue this deep in startup shows a full pipe. */
const STARTUP_QUEUE_US = 10_000
const MIN_CWND_PACKETS = 4
/** Fixed policy: loss is compensated up to this. */
const FIXED_MAX_GAIN = 1.25
const MIN_RATE = 0.008

/** How each policy differs. Queue limits are microseconds of standing queue. */
interface Manner {
  /** What a standing queue and an excess of loss leave of the rate. */
  readonly beta: number
  /** Packets per round trip added for each round trip beside others: Reno's growth is 1. */
  readonly growth: number
  readonly queueUs: (minRttUs: Micros) => Micros
  /** No probing for this long after yielding. */
  readonly holdUs: Micros
}

const MANNERS: Record<'fair' | 'high' | 'low', Manner> = {
  fair: { beta: 0.65, growth: 1, queueUs: (rtt) => Math.max(20_000, rtt / 4), holdUs: 0 },
  high: { beta: 0.85, growth: 2, queueUs: (rtt) => Math.max(40_000, rtt / 2), holdUs: 0 },
  low: { beta: 0.5, growth: 0.5, queueUs: () => 25_000, holdUs: 12_000_000 },
}
/**
 * A weight speeds growth up and makes yielding milder: powers of it, because the share of a queue follows both. What they give is in
 * figures.it.test.ts and ADR 0061.
 */
const WEIGHT_GROWTH = 1.5
const WEIGHT_YIELD = 0.5
/** Whoever weighs little still keeps this share when it yields. */
const MIN_BETA = 0.3
/** Loss above the baseline that, with a standing queue, means competing flows need capacity. */
const YIELD_LOSS = 0.002
/** After yielding, others are taken to be there for this long. */
const COMPANY_US = 20_000_000
/** Our own probe's queue, a quarter of a round trip, has drained after as many rounds at 0.9. */
const DRAIN_ROUNDS = 4
/** On a line that loses this much by itself, chance needs a wider berth. */
const LOSSY_LINE = 0.005
/** One reduction answers all losses of an overflow. */
const YIELD_PAUSE_US = 400_000
/** Silence of a peer that the window bridges, and how long one is remembered. */
const MAX_GAP_US = 50_000
const GAP_MEMORY_US = 2_000_000

export interface GccConfig {
  readonly random: Random
  readonly policy: Policy
  readonly saved: PathModel | undefined
  readonly maxLossBaseline: number
  /** Of the handshake: the first pacing rate needs it. */
  readonly rttUs: Micros
  readonly packetBytes: number
  readonly now: Micros
}

/**
 * GCC-1: BBRv3's phases and filters (draft-ietf-ccwg-bbr), a learned baseline of innocent loss, thresholds relative
 * to it, and pacing that makes up for it.
 */
export class Gcc implements CongestionControl {
  pacingRate: number
  cwndBytes: number
  lossRate = 0
  isBroken = false
  readonly #baseline: LossBaseline
  readonly #maxRate: MaxRate
  readonly #minRtt: MinRtt
  readonly #random: Random
  readonly #byte = new Uint8Array(1)
  readonly #packetBytes: number
  #policy: Policy
  #manner: Manner
  #phase: Phase = 'startup'
  #phaseAt: Micros
  #phaseRounds = 0
  #ackGapUs: Micros = 0
  /** Longest silence between two ACKs, fading: a host that pauses acknowledges everything at once afterwards. */
  #longestGapUs: Micros = 0
  #ackedAt: Micros
  #fullRate = 0
  #startRate = 0
  #queuedAcks = 0
  #queuedSince: Micros = 0
  #fullCount = 0
  #longTerm = Infinity
  #growth = 1
  #upStreak = 0
  #upRate = 0
  #upQueueUs: Micros = 0
  #cycleAt: Micros
  #cycleRounds = 0
  #cycles = 0
  #probeWaitUs: Micros
  #upTag = -1
  #round = { acked: 0, lost: 0, minRtt: Infinity, maxRate: 0 }
  #hardRounds = 0
  #penalty = 1
  #badSince: Micros = Infinity
  #isSilent = false
  #stepRate = 0
  #stepLoss = 0
  /** Delivered over the last round. */
  #roundRate = 0
  /** The last round had a standing queue. */
  #isPressed = false
  /** The last round had a deep queue, and nobody else was seen lately. */
  #hasOwnQueue = false
  /** This probe adds packets, not a share: others are in the queue. */
  #isGentle = false
  #yieldedAt: Micros = -Infinity
  /** What made this flow yield last, and the share of the rate that it left. */
  #yielded: { packets: number; lost: number; kept: number } | undefined
  /** Rounds for which samples still show the rate before yielding. */
  #deafRounds = 0

  constructor(config: GccConfig) {
    this.#random = config.random
    this.#packetBytes = config.packetBytes
    this.#policy = config.policy
    this.#manner = mannerOf(config.policy)
    this.#baseline = new LossBaseline(config.maxLossBaseline, config.saved?.lossBaseline)
    this.#maxRate = newMaxRate()
    this.#minRtt = newMinRtt(config.now, config.rttUs)
    this.#phaseAt = config.now
    this.#cycleAt = config.now
    this.#ackedAt = config.now
    this.#probeWaitUs = PROBE_WAIT_US
    // Careful resume: half of what an earlier transfer reached, until this one has confirmed it.
    const savedRate = (config.saved?.bitsPerSecond ?? 0) / 8e6
    const firstRate = Math.max((FIRST_CWND_PACKETS * config.packetBytes) / config.rttUs, FIRST_RATE, savedRate / 2)
    this.pacingRate = firstRate
    this.cwndBytes = firstRate * config.rttUs * STARTUP_CWND_GAIN + FIRST_CWND_PACKETS * config.packetBytes
    this.#update()
  }

  get bandwidth(): number {
    return this.#maxRate.value
  }

  get minRttUs(): Micros {
    return this.#minRtt.value
  }

  get lossBaseline(): number {
    return this.#baseline.share
  }

  get bdpBytes(): number {
    return this.bandwidth * this.minRttUs
  }

  get phase(): string {
    return this.#phase
  }

  get tag(): number {
    return this.#baseline.tag
  }

  onPacketAcked(tag: number): void {
    this.#baseline.onAcked(tag)
    this.#round.acked += 1
  }

  onPacketLost(tag: number): void {
    this.#baseline.onLost(tag)
    this.#round.lost += 1
  }

  onPacketSpurious(tag: number): void {
    this.#baseline.onSpurious(tag)
    this.#round.lost = Math.max(0, this.#round.lost - 1)
  }

  setPolicy(policy: Policy): void {
    this.#policy = policy
    this.#manner = mannerOf(policy)
    this.#update()
  }

  onSilence(probeTimeouts: number): void {
    if (probeTimeouts < 3) return
    this.#isSilent = true
    this.#update()
  }

  model(): PathModel | undefined {
    if (this.#maxRate.value === 0) return undefined
    return {
      bitsPerSecond: this.#maxRate.value * 8e6,
      minRttUs: this.minRttUs,
      lossBaseline: this.lossBaseline,
    }
  }

  onAck(summary: AckSummary): void {
    if (summary.ackedPackets === 0) return
    this.#isSilent = false
    const gapUs = summary.now - this.#ackedAt
    this.#ackGapUs += (Math.min(gapUs, this.minRttUs) - this.#ackGapUs) / 8
    const fading = this.#longestGapUs * Math.max(0, 1 - gapUs / GAP_MEMORY_US)
    this.#longestGapUs = Math.max(fading, Math.min(gapUs, MAX_GAP_US))
    this.#ackedAt = summary.now
    if (summary.rttUs > 0) {
      this.#minRtt.update(summary.now, summary.rttUs)
      this.#round.minRtt = Math.min(this.#round.minRtt, summary.rttUs)
    }
    if (summary.rate > 0) {
      this.#round.maxRate = Math.max(this.#round.maxRate, summary.rate)
      const isNews = !summary.isAppLimited || summary.rate > this.#maxRate.value
      if (isNews && this.#deafRounds === 0) this.#maxRate.update(summary.rate)
    }
    if (this.#phase === 'startup') this.#watchStart(summary)
    if (summary.isRoundStart) this.#endRound(summary)
    this.#advance(summary)
    this.#update()
  }

  #endRound(summary: AckSummary): void {
    const round = this.#round
    const packets = round.acked + round.lost
    this.#phaseRounds += 1
    this.#deafRounds = Math.max(0, this.#deafRounds - 1)
    this.#cycleRounds += 1
    if (packets > 0) this.lossRate += (round.lost / packets - this.lossRate) / 2
    const queueUs = round.minRtt - this.minRttUs
    if (summary.endsOutage) {
      this.#badSince = Infinity
    } else if (packets > 0) {
      this.#judgeLoss(summary.now, packets)
      this.#baseline.bound(packets, round.lost)
      const isUnpressed = queueUs <= Math.max(5000, this.minRttUs / 10)
      this.#isPressed = queueUs > this.#manner.queueUs(this.minRttUs)
      const isDeep = queueUs > Math.max(10_000, this.minRttUs / 5)
      this.#hasOwnQueue = isDeep && summary.now - this.#yieldedAt > COMPANY_US
      const { recentPackets, recentLosses } = this.#baseline
      if (isUnpressed && this.#phase === 'cruise') this.#learn(summary.now)
      else this.#baseline.skip()
      if (!isUnpressed) this.#yieldToOthers(summary.now, recentPackets, recentLosses)
    }
    if (this.#phase === 'startup' && !summary.isAppLimited) this.#checkFull(packets)
    if (summary.rate > 0) this.#roundRate = summary.rate
    round.acked = 0
    round.lost = 0
    round.minRtt = Infinity
    round.maxRate = 0
  }

  /** Excess loss with a queue that our own probe did not cause: a competing flow needs capacity. */
  #yieldToOthers(now: Micros, packets: number, lost: number): void {
    const isOwnQueue =
      this.#phase !== 'cruise' && !(this.#phase === 'down' && this.#phaseRounds > DRAIN_ROUNDS) && !this.#isGentle
    if (isOwnQueue || now - this.#yieldedAt < Math.max(YIELD_PAUSE_US, 3 * this.minRttUs)) return
    const isLow = this.#policy.kind === 'low' && this.#isPressed
    const hasLost = isExcess({ packets, lost, baseline: this.#baseline.share })
    if (!isLow && !hasLost) return
    this.#yieldedAt = now
    this.#yielded = hasLost ? { packets, lost, kept: this.#manner.beta } : undefined
    this.#maxRate.scale(this.#manner.beta)
    this.#deafRounds = 2
    if (this.#phase === 'up') this.#beginCycle(now)
  }

  /** Losses that made the flow yield before the baseline was known, and that the baseline explains now, were not competition. */
  #learn(now: Micros): void {
    this.#baseline.learn()
    const yielded = this.#yielded
    if (yielded === undefined) return
    if (now - this.#yieldedAt > COMPANY_US) this.#yielded = undefined
    else if (this.#deafRounds === 0 && !isExcess({ ...yielded, baseline: this.#baseline.share })) {
      this.#maxRate.scale(1 / yielded.kept)
      this.#yieldedAt = -Infinity
      this.#yielded = undefined
    }
  }

  /** Hard stops: loss that no innocent line shows. */
  #judgeLoss(now: Micros, packets: number): void {
    const share = this.#round.lost / packets
    this.#hardRounds = share > HARD_LOSS && packets >= 8 ? this.#hardRounds + 1 : 0
    if (this.#hardRounds >= HARD_ROUNDS) this.#penalty = Math.max(MIN_PENALTY, this.#penalty * BETA)
    else if (this.#hardRounds === 0) this.#penalty = Math.min(1, this.#penalty * 1.15)
    if (share <= BREAKER_LOSS || packets < 8) this.#badSince = Infinity
    else if (this.#badSince === Infinity) this.#badSince = now
    this.isBroken = now - this.#badSince > BREAKER_US
  }

  /**
   * Startup follows the latest eighth of a round trip, so it grows by its whole gain each round. Once the queue
   * stands, what arrives is the bottleneck's rate: take it and stop.
   */
  #watchStart(summary: AckSummary): void {
    if (summary.shortRate > 0 && !summary.isAppLimited) this.#startRate = Math.max(this.#startRate, summary.shortRate)
    if (summary.rttUs === 0) return
    const queueUs = summary.rttUs - this.minRttUs
    if (queueUs <= Math.max(STARTUP_QUEUE_US, this.minRttUs / 4)) this.#queuedAcks = 0
    else if (++this.#queuedAcks === 1) this.#queuedSince = summary.now
    if (summary.shortRate === 0 || this.#queuedAcks < 3) return
    const stoodUs = summary.now - this.#queuedSince
    // A host that stood still shows its delay in one bunch of ACKs, and less arriving than a full pipe would bring.
    const isStall = stoodUs < this.minRttUs / 8 || summary.shortRate < this.pacingRate / 4
    // Where less is offered than might be sent, the sample may begin before the bottleneck was busy: it spans an eighth and more.
    const isEarly = summary.isAppLimited && stoodUs < this.minRttUs / 4
    if (isStall || isEarly) return
    this.#maxRate.update(summary.shortRate)
    this.#fullCount = FULL_ROUNDS
  }

  #checkFull(packets: number): void {
    if (this.#maxRate.value >= this.#fullRate * FULL_GROWTH) {
      this.#fullRate = this.#maxRate.value
      this.#fullCount = 0
      return
    }
    this.#fullCount += 1
    const isOverflowing = packets > 0 && this.#round.lost / packets > HARD_LOSS
    if (this.#fullCount >= FULL_ROUNDS || isOverflowing) this.#fullCount = FULL_ROUNDS
  }

  #advance(summary: AckSummary): void {
    const now = summary.now
    switch (this.#phase) {
      case 'startup':
        if (this.#fullCount >= FULL_ROUNDS) this.#enter('drain', now)
        return
      case 'drain':
        if (summary.inFlightBytes <= this.#fullPipe()) this.#beginCycle(now)
        return
      case 'down':
        if (this.#isProbeRttDue(now)) this.#enter('probe-rtt', now)
        else if (this.#isTimeToProbe(now)) this.#enter('refill', now)
        else if (summary.inFlightBytes <= this.#drained()) this.#enter('cruise', now)
        return
      case 'cruise':
        if (this.#isProbeRttDue(now)) this.#enter('probe-rtt', now)
        else if (this.#isTimeToProbe(now)) this.#enter(this.#isStepDownDue() ? 'step-down' : 'refill', now)
        return
      case 'step-down':
        if (this.#phaseRounds >= 3) this.#endStepDown(now)
        return
      case 'refill':
        if (this.#phaseRounds >= 1) this.#enter('up', now)
        return
      case 'up':
        this.#probeUp(summary)
        return
      case 'probe-rtt':
        if (now - this.#phaseAt >= Math.max(PROBE_RTT_US, this.minRttUs) && this.#phaseRounds >= 1)
          this.#endProbeRtt(now)
    }
  }

  #enter(phase: Phase, now: Micros): void {
    this.#isGentle = false
    this.#phase = phase
    this.#phaseAt = now
    this.#phaseRounds = 0
    this.#baseline.newPhase()
    if (phase === 'up') {
      this.#upTag = this.#baseline.tag
      this.#growth = 1
      this.#upStreak = 0
      this.#isGentle = this.#isPressed || now - this.#yieldedAt < COMPANY_US
      this.#upRate = this.#maxRate.value
      this.#upQueueUs = 0
    }
    if (phase === 'step-down') {
      this.#stepRate = this.#roundRate
      this.#stepLoss = this.lossRate
    }
  }

  #beginCycle(now: Micros): void {
    this.#cycleAt = now
    this.#cycleRounds = 0
    this.#cycles += 1
    this.#probeWaitUs = PROBE_WAIT_US + (PROBE_WAIT_SPREAD_US * this.#draw()) / 256
    this.#maxRate.advance()
    this.#enter('down', now)
  }

  #draw(): number {
    this.#random.fill(this.#byte)
    return this.#byte[0] ?? 0
  }

  #isTimeToProbe(now: Micros): boolean {
    if (now - this.#yieldedAt < this.#manner.holdUs) return false
    const bdpPackets = this.bdpBytes / this.#packetBytes
    return (
      now - this.#cycleAt >= this.#probeWaitUs || this.#cycleRounds >= Math.min(RENO_ROUNDS, Math.max(8, bdpPackets))
    )
  }

  #isProbeRttDue(now: Micros): boolean {
    return now - this.#minRtt.seenAt > PROBE_RTT_AFTER_US
  }

  #endProbeRtt(now: Micros): void {
    this.#minRtt.renew(now)
    this.#beginCycle(now)
  }

  /** A probe ends after a round with a quarter more under way, or as soon as loss or queue say it is too much. */
  #probeUp(summary: AckSummary): void {
    const now = summary.now
    const queueUs = summary.rttUs - this.minRttUs
    const isQueued = summary.rttUs > 0 && queueUs > this.#manner.queueUs(this.minRttUs)
    const isPressed = queueUs > Math.max(2000, this.minRttUs / 20)
    const tolerated = this.#baseline.share + (isPressed ? PROBE_LOSS : PROBE_LOSS_UNPRESSED)
    const isLossy = this.#baseline.exceeds(this.#upTag, Math.min(0.5, tolerated))
    if (this.#isGentle) {
      if (this.#phaseRounds >= 2) this.#beginCycle(now)
      return
    }
    if (isLossy) {
      this.#longTerm = Math.max(summary.inFlightBytes, this.#fullPipe() * BETA)
      this.#beginCycle(now)
      return
    }
    if (this.#longTerm < Infinity && summary.inFlightBytes >= this.#longTerm * 0.98) {
      this.#longTerm += this.#growth * this.#packetBytes * Math.min(summary.ackedPackets, 64)
      if (summary.isRoundStart) this.#growth = Math.min(16, this.#growth * 2)
    }
    const isFilled = now - this.#phaseAt >= this.minRttUs && summary.inFlightBytes >= this.#fullPipe() * UP_GAIN
    this.#upQueueUs = Math.max(this.#upQueueUs, queueUs)
    if (!isFilled && !isQueued && this.#phaseRounds < 4) return
    // A quarter more sent, as much more delivered, no queue: the path has become wider, look for its end again.
    const isWider = this.#maxRate.value > this.#upRate * 1.15 && this.#upQueueUs < Math.max(3000, this.minRttUs / 20)
    if (isWider && this.#policy.kind !== 'low') this.#probeWider(now)
    else this.#beginCycle(now)
  }

  #probeWider(now: Micros): void {
    const streak = this.#upStreak + 1
    this.#enter('up', now)
    this.#upStreak = streak
  }

  /** A probe that found spare capacity is followed by a larger one. */
  #upGain(): number {
    if (this.#isGentle) return 1 + this.#gentleGrowth()
    return Math.min(2, UP_GAIN + this.#upStreak * 0.25)
  }

  /** Beside others a probe adds what Reno would have added since the last one, so that all sizes of flow grow alike. */
  #gentleGrowth(): number {
    const bytes = this.#cycleRounds * this.#manner.growth * this.#packetBytes
    return Math.min(1, bytes / Math.max(1, this.#fullPipe()))
  }

  #isStepDownDue(): boolean {
    return this.#cycles % STEP_DOWN_CYCLES === 1 && this.#baseline.share > STEP_DOWN_MIN_LOSS
  }

  /**
   * Less sent, as much delivered and clearly less lost: the baseline was congestion in a shallow queue or a policer.
   * Random loss would have kept its share and cut what is delivered.
   */
  #endStepDown(now: Micros): void {
    const { tag } = this.#baseline
    const loss = this.#baseline.lossOf(tag)
    const isFlat = this.#roundRate > this.#stepRate * STEP_FLAT
    const isLess = this.#stepLoss - loss > Math.max(0.03, this.#stepLoss * 0.3)
    if (isFlat && isLess && this.#baseline.resolved(tag) > 100) {
      this.#maxRate.scale(Math.min(1, this.#roundRate / this.bandwidth))
      this.#deafRounds = 2
      this.#baseline.forget()
      this.#longTerm = this.#fullPipe()
    }
    this.#enter('refill', now)
  }

  /** What is under way just after an ACK when the pipe is full and the queue empty; innocent losses are under way too. */
  #fullPipe(): number {
    return (this.bandwidth / (1 - this.#baseline.share)) * this.minRttUs + 3 * this.#packetBytes
  }

  #drained(): number {
    return Math.min(this.#fullPipe(), this.#longTerm * HEADROOM)
  }

  #update(): void {
    const target = this.#policy
    if (target.kind === 'fixed') this.#updateFixed(target.bitsPerSecond / 8e6)
    else if (this.#maxRate.value > 0) this.#updateModel()
    if (this.#isSilent) this.cwndBytes = MIN_CWND_PACKETS * this.#packetBytes
  }

  #updateFixed(rate: number): void {
    const gain = Math.min(FIXED_MAX_GAIN, 1 / (1 - this.#baseline.share))
    this.pacingRate = Math.max(MIN_RATE, rate * gain * this.#penalty)
    this.cwndBytes = this.pacingRate * (2 * this.minRttUs + 4 * this.#ackGapUs) + 64 * this.#packetBytes
  }

  #updateModel(): void {
    if (this.#phase === 'startup') {
      const rate = Math.max(this.#startRate, this.bandwidth) * STARTUP_GAIN
      this.pacingRate = Math.max(this.pacingRate, rate)
      this.cwndBytes = Math.max(this.cwndBytes, this.pacingRate * this.minRttUs + this.#slack())
      return
    }
    const rate = (this.bandwidth / (1 - this.#baseline.share)) * this.#penalty
    this.pacingRate = Math.max(MIN_RATE, rate * this.#pacingGain())
    const wanted = this.#cwndGain() * this.#fullPipe() * this.#penalty
    this.cwndBytes = Math.max(MIN_CWND_PACKETS * this.#packetBytes, Math.min(wanted, this.#cwndBound()) + this.#slack())
  }

  /** Room for bunched ACKs and batched sending. */
  #slack(): number {
    return this.bandwidth * Math.max(3 * this.#ackGapUs, this.#longestGapUs) + 16 * this.#packetBytes
  }

  #cwndBound(): number {
    if (this.#phase === 'probe-rtt')
      return Math.max(MIN_CWND_PACKETS * this.#packetBytes, this.#fullPipe() * PROBE_RTT_CWND_GAIN)
    if (this.#phase === 'cruise' || this.#phase === 'down') return this.#longTerm * HEADROOM
    return this.#longTerm
  }

  #pacingGain(): number {
    switch (this.#phase) {
      case 'startup':
        return STARTUP_GAIN
      case 'drain':
        return DRAIN_GAIN
      case 'down':
        return DOWN_GAIN
      case 'up':
        return this.#upGain()
      case 'step-down':
        return STEP_DOWN_GAIN
      case 'cruise':
        return this.#hasOwnQueue ? EBB_GAIN : 1
      case 'refill':
      case 'probe-rtt':
        return 1
    }
  }

  #cwndGain(): number {
    return this.#phase === 'up' ? UP_CWND_GAIN : CWND_GAIN
  }
}

/** More lost than the baseline explains: two deviations of a binomial on a clean line, three on a lossy one. */
function isExcess(seen: { packets: number; lost: number; baseline: number }): boolean {
  const share = Math.min(0.5, seen.baseline + YIELD_LOSS)
  const deviation = Math.sqrt(seen.packets * share * (1 - share))
  const doubt = seen.baseline < LOSSY_LINE ? 2 * deviation + 0.5 : 3 * deviation + 1
  return seen.lost > seen.packets * share + doubt
}

function mannerOf(policy: Policy): Manner {
  const manner = policy.kind === 'fixed' ? MANNERS.fair : MANNERS[policy.kind]
  const weight = weightOf(policy)
  if (weight === 1) return manner
  const beta = Math.max(MIN_BETA, 1 - (1 - manner.beta) / weight ** WEIGHT_YIELD)
  return { ...manner, beta, growth: manner.growth * weight ** WEIGHT_GROWTH }
}

/** @returns 1 for a rate that is fixed */
export function weightOf(policy: Policy): number {
  return policy.kind === 'fixed' ? 1 : (policy.weight ?? 1)
}
