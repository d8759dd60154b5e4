import type { ByteChannel, ChannelStats } from '@godwit/transport/node'
import { type Bottleneck, nameBottleneck } from '../progress/bottleneck.ts'
import { SpeedMeter } from '../progress/speed-meter.ts'
import type { MonotonicMs } from './engine.types.ts'

/** CPU time of this thread in microseconds; undefined where the platform does not report it. */
export type ThreadCpu = () => number | undefined

/** Turns channel counters into a speed and a named bottleneck. */
export class Reporter {
  readonly #nowMs: MonotonicMs
  readonly #cpu: ThreadCpu
  readonly #meter: SpeedMeter
  #before: { at: number; cpu: number | undefined; stats: ChannelStats } | undefined

  constructor(nowMs: MonotonicMs, cpu: ThreadCpu) {
    this.#nowMs = nowMs
    this.#cpu = cpu
    this.#meter = new SpeedMeter(nowMs())
  }

  speed(bytes: number): number {
    return this.#meter.update(this.#nowMs(), bytes)
  }

  secondsLeft(bytes: number): number | undefined {
    return this.#meter.secondsLeft(bytes)
  }

  /** The cause of the span since the last call. */
  bottleneck(channel: ByteChannel, peer: { diskPercent: number; limitBitsPerSecond: number }): Bottleneck | undefined {
    const at = this.#nowMs()
    const stats = channel.stats()
    const cpu = this.#cpu()
    const before = this.#before
    this.#before = { at, cpu, stats }
    if (before === undefined || at <= before.at) return undefined
    const spanUs = (at - before.at) * 1000
    const held = (key: keyof ChannelStats['session']['held']): number =>
      Math.min(1, (stats.session.held[key] - before.stats.session.held[key]) / spanUs)
    return nameBottleneck({
      heldBySource: held('source'),
      heldByPeerWindow: held('peerWindow'),
      heldByLimit: held('limit'),
      heldByNetwork: held('network'),
      idle: held('idle'),
      cpu: cpu === undefined || before.cpu === undefined ? 0 : (cpu - before.cpu) / spanUs,
      peerDisk: peer.diskPercent / 100,
      lossRate: stats.udp?.lossRate ?? 0,
      rttMs: (stats.udp?.srttUs ?? 0) / 1000,
      limitBitsPerSecond: Math.min(peer.limitBitsPerSecond, stats.session.limitBitsPerSecond),
      bandwidthBitsPerSecond: stats.udp?.bandwidth ?? 0,
      isStarting: stats.udp?.phase === 'startup',
    })
  }
}
