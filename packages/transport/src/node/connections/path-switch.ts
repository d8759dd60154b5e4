import type { Micros } from '../../core/index.ts'
import type { CarrierMode, PathReason } from './channel.types.ts'

/** How long UDP may take to answer at the start before it counts as blocked. */
const START_PATIENCE_US: Micros = 1_500_000
/** Shortest silence that ends the use of UDP, while something waits for an answer. */
const MIN_SILENCE_US: Micros = 700_000
/** A look that comes this long after the one before shows that this program did not run: nobody was silent meanwhile. */
const PAUSE_US: Micros = 300_000
/** After a broken UDP path, how long TCP stays in use. */
const BROKEN_PAUSE_US: Micros = 30_000_000
/** How long each side of a comparison runs, and how long its result holds. */
const COMPARE_US: Micros = 5_000_000
const COMPARE_HOLDS_US: Micros = 3_600_000_000
/** UDP is compared with TCP when it has lost this share for this long. */
const SUSPICIOUS_LOSS = 0.25
const SUSPICIOUS_US: Micros = 10_000_000
/** TCP wins a comparison when UDP reaches less than this share of it. */
const SLOWED_SHARE = 0.7

export interface PathFacts {
  readonly udpEnabled: boolean
  /** A UDP path is validated and not dead. */
  readonly udpOpen: boolean
  /** The circuit breaker opened: more than half of the packets lost. */
  readonly udpBroken: boolean
  /** When the last packet of the peer arrived; -Infinity before the first. */
  readonly lastHeard: Micros
  /** Since when bytes or PINGs have been waiting for an answer without a pause; Infinity when none are. */
  readonly waitingSince: Micros
  /** The shortest one seen: a side that mostly receives has few, the first of them while both programs begin. */
  readonly rttUs: Micros
  readonly lossRate: number
  /** Bytes delivered by each carrier since the start. */
  readonly udpBytes: number
  readonly tcpBytes: number
}

export interface PathDecision {
  readonly mode: CarrierMode
  readonly reason: PathReason
  /** Numbers for the state line. */
  readonly detail: string
}

/** Decides between UDP and TCP from facts and time alone. */
export class PathSwitch {
  readonly #startedAt: Micros
  #tickedAt: Micros
  /** Since when this program has been running without a pause. */
  #awakeSince: Micros
  #decision: PathDecision = { mode: 'tcp', reason: 'udp-waiting', detail: '' }
  #tcpUntil: Micros = -Infinity
  #suspectSince: Micros = Infinity
  #comparing: { at: Micros; tcpBytes: number; udpBitsPerSecond: number } | undefined
  #comparedUntil: Micros = -Infinity
  #mark: { at: Micros; udpBytes: number }
  #udpBitsPerSecond = 0

  constructor(now: Micros) {
    this.#startedAt = now
    this.#tickedAt = now
    this.#awakeSince = now
    this.#mark = { at: now, udpBytes: 0 }
  }

  get decision(): PathDecision {
    return this.#decision
  }

  /** The peer announced its path. Following it keeps both directions on what works for one of them. */
  peerChose(mode: CarrierMode, udpOpen: boolean): PathDecision {
    if (mode === 'udp' && !udpOpen) return this.#decision
    if (mode !== this.#decision.mode) this.#decide(mode, 'peer-chose', '')
    return this.#decision
  }

  /** Meant to be called every 100 ms. */
  tick(now: Micros, facts: PathFacts): PathDecision {
    if (now - this.#tickedAt > PAUSE_US) this.#awakeSince = now
    this.#tickedAt = now
    this.#measure(now, facts)
    if (!facts.udpEnabled) this.#decide('tcp', 'udp-off', '')
    else if (this.#decision.mode === 'udp') this.#whileUdp(now, facts)
    else this.#whileTcp(now, facts)
    return this.#decision
  }

  #whileUdp(now: Micros, facts: PathFacts): void {
    const patience = Math.max(MIN_SILENCE_US, 3 * facts.rttUs)
    const silence = now - Math.max(facts.lastHeard, facts.waitingSince, this.#awakeSince)
    if (facts.udpBroken) {
      this.#tcpUntil = now + BROKEN_PAUSE_US
      this.#decide('tcp', 'udp-broken', `${Math.round(facts.lossRate * 100)} % of packets lost`)
    } else if (!facts.udpOpen || silence > patience) {
      this.#decide('tcp', 'udp-silent', `no answer for ${(silence / 1e6).toFixed(1)} s`)
    } else this.#watchLoss(now, facts)
  }

  #watchLoss(now: Micros, facts: PathFacts): void {
    if (facts.lossRate < SUSPICIOUS_LOSS) this.#suspectSince = Infinity
    else if (this.#suspectSince === Infinity) this.#suspectSince = now
    if (now - this.#suspectSince < SUSPICIOUS_US || now < this.#comparedUntil) return
    this.#comparing = { at: now, tcpBytes: facts.tcpBytes, udpBitsPerSecond: this.#udpBitsPerSecond }
    this.#suspectSince = Infinity
    this.#decide('tcp', 'udp-slowed', 'comparing with TCP')
  }

  #whileTcp(now: Micros, facts: PathFacts): void {
    if (this.#comparing !== undefined) return this.#compare(now, facts, this.#comparing)
    const heard = facts.udpOpen && facts.lastHeard > now - Math.max(MIN_SILENCE_US, 3 * facts.rttUs)
    if (heard && now >= this.#tcpUntil) return this.#decide('udp', 'udp-open', '')
    const { reason } = this.#decision
    const late = now - this.#startedAt > Math.max(START_PATIENCE_US, 3 * facts.rttUs)
    if (reason === 'udp-waiting' && late) this.#decide('tcp', 'udp-blocked', '')
  }

  #compare(now: Micros, facts: PathFacts, begun: { at: Micros; tcpBytes: number; udpBitsPerSecond: number }): void {
    if (now - begun.at < COMPARE_US) return
    const tcp = ((facts.tcpBytes - begun.tcpBytes) * 8e6) / (now - begun.at)
    this.#comparing = undefined
    this.#comparedUntil = now + COMPARE_HOLDS_US
    if (begun.udpBitsPerSecond >= SLOWED_SHARE * tcp && facts.udpOpen) return this.#decide('udp', 'udp-open', '')
    this.#tcpUntil = this.#comparedUntil
    const text = `${megabits(begun.udpBitsPerSecond)} over UDP, ${megabits(tcp)} over TCP`
    this.#decide('tcp', 'udp-slowed', text)
  }

  #measure(now: Micros, facts: PathFacts): void {
    const span = now - this.#mark.at
    if (span < COMPARE_US) return
    this.#udpBitsPerSecond = ((facts.udpBytes - this.#mark.udpBytes) * 8e6) / span
    this.#mark = { at: now, udpBytes: facts.udpBytes }
  }

  #decide(mode: CarrierMode, reason: PathReason, detail: string): void {
    if (mode === this.#decision.mode && reason === this.#decision.reason && detail === this.#decision.detail) return
    this.#decision = { mode, reason, detail }
  }
}

function megabits(bitsPerSecond: number): string {
  return `${(bitsPerSecond / 1e6).toFixed(1)} Mbit/s`
}
