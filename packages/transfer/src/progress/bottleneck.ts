/** What limits the speed of a transfer. */
export type BottleneckName =
  | 'sender disk'
  | 'receiver disk'
  | 'CPU'
  | 'loss'
  | 'RTT'
  | 'line'
  | 'policy limit'
  | 'peer window'
  | 'nothing to send'

export interface Bottleneck {
  readonly name: BottleneckName
  /** The numbers that led to the name, for people. */
  readonly text: string
}

/** What happened in one span of time; shares are 0 to 1 of it. */
export interface BottleneckFacts {
  readonly heldBySource: number
  readonly heldByPeerWindow: number
  readonly heldByLimit: number
  readonly heldByNetwork: number
  readonly idle: number
  /** Share of one core this side's I/O thread used. */
  readonly cpu: number
  /** Share of time the peer's disk thread was busy. */
  readonly peerDisk: number
  readonly lossRate: number
  readonly rttMs: number
  readonly limitBitsPerSecond: number
  readonly bandwidthBitsPerSecond: number
  /** The congestion controller still looks for the rate. */
  readonly isStarting: boolean
}

/** A core this busy has no time left for more packets. */
const FULL_CORE = 0.9
const FULL_DISK = 0.8
/** Below this share of time a cause explains nothing. */
const NOTICEABLE = 0.2
/** Loss that costs more speed than anything else on the line. */
const NOTICEABLE_LOSS = 0.02

/** Returns the cause that delayed sending for most of the time. */
export function nameBottleneck(facts: BottleneckFacts): Bottleneck {
  const causes: Array<readonly [number, () => Bottleneck]> = [
    [
      facts.heldBySource,
      () => ({ name: 'sender disk', text: `reading held up sending ${percent(facts.heldBySource)} of the time` }),
    ],
    [facts.heldByPeerWindow, () => peerBottleneck(facts)],
    [facts.heldByLimit, () => ({ name: 'policy limit', text: `limited to ${megabits(facts.limitBitsPerSecond)}` })],
    [facts.heldByNetwork, () => networkBottleneck(facts)],
  ]
  const [share, describe] = causes.reduce((most, cause) => (cause[0] > most[0] ? cause : most))
  if (facts.cpu >= FULL_CORE) return { name: 'CPU', text: `one core is ${percent(facts.cpu)} busy` }
  if (share < NOTICEABLE) return { name: 'nothing to send', text: `idle ${percent(facts.idle)} of the time` }
  return describe()
}

function peerBottleneck(facts: BottleneckFacts): Bottleneck {
  const held = `the receiver held up sending ${percent(facts.heldByPeerWindow)} of the time`
  if (facts.peerDisk < FULL_DISK) return { name: 'peer window', text: held }
  return { name: 'receiver disk', text: `${held}, its disk is ${percent(facts.peerDisk)} busy` }
}

function networkBottleneck(facts: BottleneckFacts): Bottleneck {
  const rtt = `round trip ${Math.round(facts.rttMs)} ms`
  if (facts.isStarting) return { name: 'RTT', text: `finding the rate of the line, ${rtt}` }
  if (facts.lossRate >= NOTICEABLE_LOSS) {
    return { name: 'loss', text: `${(facts.lossRate * 100).toFixed(1)} % of packets lost, ${rtt}` }
  }
  return { name: 'line', text: `the line carries ${megabits(facts.bandwidthBitsPerSecond)}, ${rtt}` }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function megabits(bitsPerSecond: number): string {
  return `${(bitsPerSecond / 1e6).toFixed(1)} Mbit/s`
}
