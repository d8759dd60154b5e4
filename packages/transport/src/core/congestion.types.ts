import type { AckSummary } from './recovery.ts'
import type { Micros, PathModel, Policy } from './session.types.ts'

/** What decides how fast and how much a path sends. Rates are bytes per microsecond. */
export interface CongestionControl {
  readonly pacingRate: number
  readonly cwndBytes: number
  /** Delivered by the path, as far as known. */
  readonly bandwidth: number
  readonly minRttUs: Micros
  readonly lossBaseline: number
  /** Loss share of the last round, innocent and other. */
  readonly lossRate: number
  readonly bdpBytes: number
  /** For people: what it is doing now. */
  readonly phase: string
  /** Mark for packets that leave now; comes back with their fate. */
  readonly tag: number
  readonly isBroken: boolean
  onPacketAcked(tag: number): void
  onPacketLost(tag: number): void
  onPacketSpurious(tag: number): void
  onAck(summary: AckSummary): void
  /** `probeTimeouts` time-outs in a row without an answer of the peer. */
  onSilence(probeTimeouts: number): void
  setPolicy(policy: Policy): void
  model(): PathModel | undefined
}
