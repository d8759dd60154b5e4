import { AckSchedule, ackInterval } from './acks.ts'
import { Challenge } from './challenges.ts'
import { Gcc } from './gcc.ts'
import { Pacer } from './pacer.ts'
import { MIN_PACKET } from './packets.ts'
import { BASE_PACKET, PacketSizes } from './pmtud.ts'
import { ReceivedPackets } from './received-packets.ts'
import { type AckSummary, Recovery } from './recovery.ts'
import { SENT } from './sent-packets.ts'
import type {
  AddressId,
  Micros,
  PathId,
  PathModel,
  PathState,
  PathStats,
  Policy,
  SessionConfig,
} from './session.types.ts'

const NUDGE_US = 100_000
const MAX_NUDGE_US = 1_000_000
/** A NAT forgets a silent mapping after 30 s or more. */
const KEEPALIVE_US = 10_000_000
/** PINGs of one probe time-out. */
const PROBES = 2

/** A PATH_RESPONSE that has to be sent. */
export interface OwedResponse {
  readonly token: Uint8Array
  readonly to: AddressId
  /** Size of the challenging packet, so that the response proves the same size in the other direction. */
  readonly size: number
}

/** What a path reports to its session about sent bytes. */
export interface PathEvents {
  rangeAcked(path: Path, packetNumber: number): void
  rangeLost(path: Path, packetNumber: number): void
}

/** One path: address validation, packet numbers, recovery, congestion control, packet size. */
export class Path {
  readonly id: PathId
  readonly recovery: Recovery
  readonly received = new ReceivedPackets()
  readonly acks = new AckSchedule()
  readonly pacer = new Pacer()
  state: PathState = 'probing'
  address: AddressId
  gcc: Gcc | undefined
  sizes: PacketSizes
  /** Validation under way: of the first address, or of one that the peer has moved to. */
  challenge: Challenge | undefined
  owedResponse: OwedResponse | undefined
  owedPings = 0
  lastReceivedAt: Micros
  #nudgeAt: Micros = Infinity
  #nudgeWaitUs: Micros = NUDGE_US
  #sentAt: Micros
  readonly #config: SessionConfig

  constructor(now: Micros, config: SessionConfig, init: { id: PathId; address: AddressId; events: PathEvents }) {
    this.id = init.id
    this.address = init.address
    this.lastReceivedAt = now
    this.#sentAt = now
    this.#config = config
    this.sizes = new PacketSizes(config.maxPacketSize ?? Infinity, BASE_PACKET)
    this.challenge = new Challenge(now, init.address, config.role === 'server')
    this.recovery = new Recovery({
      packetAcked: (packetNumber) => {
        this.#onAcked(packetNumber)
        init.events.rangeAcked(this, packetNumber)
      },
      packetLost: (packetNumber, isOutage) => {
        this.#onLost(packetNumber, isOutage)
        init.events.rangeLost(this, packetNumber)
      },
      packetSpurious: (packetNumber) => {
        this.gcc?.onPacketSpurious(this.recovery.sent.tag(packetNumber))
        init.events.rangeAcked(this, packetNumber)
      },
    })
  }

  get isOpen(): boolean {
    return this.state === 'open'
  }

  /** Dead, or revived and not heard from since: the next packet of the peer opens the path again. */
  get isAsleep(): boolean {
    return this.state === 'dead' || (this.state === 'probing' && this.gcc !== undefined)
  }

  /** A dead path is probed again: it waits for a response as it did at the start. */
  revive(now: Micros): void {
    if (this.state !== 'dead') return
    this.state = 'probing'
    this.lastReceivedAt = now
  }

  /** Bytes that the congestion window has left. */
  get room(): number {
    if (this.gcc === undefined || this.recovery.sent.isFull) return 0
    return this.gcc.cwndBytes - this.recovery.inFlightBytes
  }

  /** The address has answered a challenge that was `size` bytes long. */
  open(now: Micros, proof: { size: number; sentAt: Micros }, policy: Policy): void {
    const rttUs = Math.max(1, now - proof.sentAt)
    if (!this.recovery.rtt.hasSample) this.recovery.rtt.update(rttUs)
    this.recovery.peerAckDelayUs = ackInterval(rttUs)
    this.sizes = new PacketSizes(this.#config.maxPacketSize ?? Infinity, proof.size)
    this.gcc = new Gcc({
      random: this.#config.random,
      policy,
      saved: this.#config.saved,
      maxLossBaseline: this.#config.maxLossBaseline ?? 0.2,
      rttUs,
      packetBytes: this.sizes.current,
      now,
    })
    this.state = 'open'
    this.#updatePacer(now)
  }

  onReceived(now: Micros, hasData: boolean): void {
    this.lastReceivedAt = now
    this.#nudgeWaitUs = Math.max(NUDGE_US, this.recovery.rtt.smoothed / 2)
    this.#nudgeAt = hasData ? now + this.#nudgeWaitUs : Infinity
  }

  onSent(now: Micros): void {
    this.#sentAt = now
  }

  onAckSummary(summary: AckSummary): void {
    if (this.gcc === undefined) return
    this.gcc.onAck(summary)
    this.#updatePacer(summary.now)
    if (this.gcc.isBroken && this.state === 'open') this.state = 'broken'
  }

  setPolicy(now: Micros, policy: Policy): void {
    this.gcc?.setPolicy(policy)
    this.#updatePacer(now)
  }

  /** Everything of the path that waits for time, apart from pacing. */
  get timerAt(): Micros {
    const challengeAt = (this.challenge?.allowance ?? 0) >= MIN_PACKET ? (this.challenge?.nextAt ?? Infinity) : Infinity
    if (this.state !== 'open' && this.state !== 'broken') return Math.min(challengeAt, this.#idleAt())
    return Math.min(challengeAt, this.recovery.timerAt, this.#nudgeAt, this.#keepaliveAt(), this.#idleAt())
  }

  /** Answers true when the path has just died. */
  onTimer(now: Micros): boolean {
    if (now >= this.#idleAt()) {
      this.state = 'dead'
      return true
    }
    if (this.state !== 'open' && this.state !== 'broken') return false
    if (this.recovery.onTimer(now)) {
      this.owedPings = PROBES
      this.gcc?.onSilence(this.recovery.probeTimeouts)
    }
    if (now >= this.#nudgeAt) this.#nudge(now)
    if (now >= this.#keepaliveAt()) this.owedPings = 1
    return false
  }

  stats(): PathStats {
    const { gcc, recovery } = this
    return {
      path: this.id,
      address: this.address,
      state: this.state,
      srttUs: recovery.rtt.smoothed,
      minRttUs: gcc?.minRttUs ?? recovery.rtt.smoothed,
      latestRttUs: recovery.rtt.latest,
      lossRate: gcc?.lossRate ?? 0,
      lossBaseline: gcc?.lossBaseline ?? 0,
      bandwidth: (gcc?.bandwidth ?? 0) * 8e6,
      pacingRate: (gcc?.pacingRate ?? 0) * 8e6,
      cwndBytes: gcc?.cwndBytes ?? 0,
      inFlightBytes: recovery.inFlightBytes,
      packetSize: this.sizes.current,
      phase: gcc?.phase ?? 'probing',
    }
  }

  model(): PathModel | undefined {
    return this.gcc?.model()
  }

  /** The peer was sending and fell silent: it may not have our new address yet. */
  #nudge(now: Micros): void {
    this.owedPings = 1
    this.#nudgeWaitUs = Math.min(MAX_NUDGE_US, this.#nudgeWaitUs * 2)
    this.#nudgeAt = now + this.#nudgeWaitUs
  }

  #keepaliveAt(): Micros {
    return this.#config.role === 'client' ? Math.max(this.#sentAt, this.lastReceivedAt) + KEEPALIVE_US : Infinity
  }

  #idleAt(): Micros {
    return this.state === 'dead' ? Infinity : this.lastReceivedAt + (this.#config.idleTimeoutUs ?? 30_000_000)
  }

  #updatePacer(now: Micros): void {
    if (this.gcc === undefined) return
    this.pacer.setRate(now, this.gcc.pacingRate, { bdpBytes: this.gcc.bdpBytes, packetBytes: this.sizes.current })
  }

  #onAcked(packetNumber: number): void {
    const { sent } = this.recovery
    const bytes = sent.bytes(packetNumber)
    if (bytes > this.sizes.current) this.sizes.onProbeAcked(bytes)
    else this.sizes.onPacketAcked(bytes)
    if (sent.has(packetNumber, SENT.probe)) return
    this.gcc?.onPacketAcked(sent.tag(packetNumber))
  }

  #onLost(packetNumber: number, isOutage: boolean): void {
    const { sent } = this.recovery
    const bytes = sent.bytes(packetNumber)
    const now = this.#sentAt
    if (sent.has(packetNumber, SENT.probe)) {
      if (bytes > this.sizes.current) this.sizes.onProbeLost(now)
      return
    }
    this.sizes.onPacketLost(now, bytes)
    if (!isOutage) this.gcc?.onPacketLost(sent.tag(packetNumber))
  }
}
