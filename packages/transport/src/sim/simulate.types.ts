import type { Policy, PathModel, SessionStats } from '../core/index.ts'
import type { CrossTrafficKind } from './cross-traffic.ts'
import type { HostTiming } from './hosts.ts'
import type { LinkOptions } from './links.ts'

export interface CrossFlow {
  readonly kind: CrossTrafficKind
  /** Seconds after the start. */
  readonly startSeconds?: number
}

export interface OwnFlow {
  readonly startSeconds?: number
  readonly policy?: Policy
}

/** One simulated transfer, or several beside each other and beside TCP. */
export interface SimulationOptions {
  /** Chooses every random event. Same options and seed: same trace, on every machine. */
  readonly seed: number
  /** Bottleneck, Mbit/s of IP bytes. */
  readonly rateMbit: number
  readonly rttMs: number
  /** Per cent of packets lost at random on the way to the receiver. */
  readonly lossPercent?: number
  readonly lossBurst?: number
  readonly isLossAfter?: boolean
  /** Per cent of packets lost on the way back. */
  readonly reverseLossPercent?: number
  readonly reverseRateMbit?: number
  /** Queue in bandwidth-delay products; at least 64 KiB. Default 1. */
  readonly queueBdp?: number
  /** Ends after this time, or when `bytes` have arrived. */
  readonly seconds: number
  /** Size of the file each own flow sends. Default: endless. */
  readonly bytes?: number
  /** Default: one, fair. */
  readonly flows?: readonly OwnFlow[]
  readonly cross?: readonly CrossFlow[]
  /** Anything else about the way to the receiver, and back. */
  readonly forward?: Partial<LinkOptions>
  readonly reverse?: Partial<LinkOptions>
  /** The client's address changes this often. */
  readonly rebindSeconds?: number
  readonly maxPacketSize?: number
  /** Bytes that the receiver lets be under way. Default: that of a session. */
  readonly receiveWindow?: number
  readonly timerGrainUs?: number
  /** How late both hosts are; default: never. */
  readonly hosts?: HostTiming
  readonly saved?: PathModel
  readonly ceilingMbit?: number
  /** Upload: the client sends. Default upload. */
  readonly direction?: 'upload' | 'download'
  /** Checks every delivered byte, the nonces and the window; slower. */
  readonly isVerified?: boolean
  /** Steady figures leave out this many seconds at the start. Default 5. */
  readonly warmUpSeconds?: number
  /** Trace grain. Default 100 ms. */
  readonly sampleMs?: number
}

/** One instant of one own flow. */
export interface TraceSample {
  readonly seconds: number
  readonly goodputMbit: number
  readonly rttMs: number
  readonly cwndKiB: number
  readonly inFlightKiB: number
  readonly pacingMbit: number
  readonly queueKiB: number
  readonly phase: string
}

export interface FlowResult {
  /** File bytes that arrived. */
  readonly bytes: number
  /** Seconds to the last byte; undefined when the time ran out. */
  readonly finishedSeconds: number | undefined
  /** Mbit/s of file bytes from start to end. */
  readonly wholeMbit: number
  /** Mbit/s of file bytes after the warm-up. */
  readonly steadyMbit: number
  readonly sender: SessionStats
  readonly samples: readonly TraceSample[]
  /** First second in which 90 % of the limit was delivered. */
  readonly secondsTo90: number | undefined
}

export interface SimulationResult {
  readonly options: SimulationOptions
  readonly flows: readonly FlowResult[]
  /** Mbit/s of payload of each cross flow after the warm-up. */
  readonly crossMbit: readonly number[]
  /** rate x 0.956, x (1 - loss) where losses strike behind the bottleneck, and of the ceiling when there is one. */
  readonly limitMbit: number
  /** Steady sum of own flows / limit. */
  readonly steadyShare: number
  readonly wholeShare: number
  /** Jain's index of the own flows' steady rates. */
  readonly fairness: number
  /** Of every delivered datagram's time and bytes. */
  readonly traceHash: string
  readonly faults: readonly string[]
}
