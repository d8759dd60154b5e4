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
  readonly figures: BottleneckFigures
}

/** The numbers that led to the name; what says nothing of it, or is not known, is absent. */
export interface BottleneckFigures {
  /** Of the time (disk of the sender, peer window, nothing to send), of a disk or a core, or of the packets (loss). */
  readonly percent?: number | undefined
  /** Of the limit or of the line. */
  readonly mbps?: number | undefined
  readonly rttMs?: number | undefined
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
  const { heldBySource, heldByPeerWindow, heldByLimit, heldByNetwork, idle, cpu } = facts
  const causes: Array<readonly [number, () => Bottleneck]> = [
    [heldBySource, () => ({ name: 'sender disk', figures: { percent: percent(heldBySource) } })],
    [heldByPeerWindow, () => peerBottleneck(facts)],
    [heldByLimit, () => ({ name: 'policy limit', figures: megabits(facts.limitBitsPerSecond) })],
    [heldByNetwork, () => networkBottleneck(facts)],
  ]
  const [share, describe] = causes.reduce((most, cause) => (cause[0] > most[0] ? cause : most))
  if (cpu >= FULL_CORE) return { name: 'CPU', figures: { percent: percent(cpu) } }
  if (share < NOTICEABLE) return { name: 'nothing to send', figures: { percent: percent(idle) } }
  return describe()
}

/** The bottleneck with its numbers, for a command line. */
export function describeBottleneck({ name, figures }: Omit<Bottleneck, 'name'> & { readonly name: string }): string {
  const { percent: share, mbps, rttMs } = figures
  const parts = [
    ...(share === undefined ? [] : [`${share} % ${PERCENT_OF[name] ?? 'of the time'}`]),
    ...(mbps === undefined ? [] : [`${mbps} Mbit/s`]),
    ...(rttMs === undefined ? [] : [`round trip ${rttMs} ms`]),
  ]
  return parts.length === 0 ? name : `${name}: ${parts.join(', ')}`
}

const PERCENT_OF: Readonly<Record<string, string>> = {
  'receiver disk': 'busy',
  CPU: 'of one core',
  loss: 'of packets lost',
} satisfies Partial<Record<BottleneckName, string>>

function peerBottleneck({ heldByPeerWindow, peerDisk }: BottleneckFacts): Bottleneck {
  if (peerDisk < FULL_DISK) return { name: 'peer window', figures: { percent: percent(heldByPeerWindow) } }
  return { name: 'receiver disk', figures: { percent: percent(peerDisk) } }
}

function networkBottleneck({ rttMs, isStarting, lossRate, bandwidthBitsPerSecond }: BottleneckFacts): Bottleneck {
  const rtt = rttMs === 0 ? {} : { rttMs: Math.round(rttMs) }
  if (isStarting) return { name: 'RTT', figures: rtt }
  if (lossRate >= NOTICEABLE_LOSS) {
    return { name: 'loss', figures: { percent: Math.round(lossRate * 1000) / 10, ...rtt } }
  }
  return { name: 'line', figures: { ...megabits(bandwidthBitsPerSecond), ...rtt } }
}

function percent(share: number): number {
  return Math.round(share * 100)
}

function megabits(bitsPerSecond: number): Pick<BottleneckFigures, 'mbps'> {
  return bitsPerSecond === 0 || bitsPerSecond === Infinity ? {} : { mbps: Math.round(bitsPerSecond / 1e5) / 10 }
}
