import type { ByteChannel, ChannelOwner, ChannelStats, PathReport } from '@godwit/transport/node'
import { BODY_OBJECT } from '../engines/engine.types.ts'

/** Bytes that cross in one step. */
const STEP_BYTES = 64 * 1024

const PATH: PathReport = { mode: 'udp', reason: 'udp-open', text: 'in memory', tcpStreams: 0 }

interface Range {
  readonly object: number
  start: number
  readonly end: number
}

/** One end of a channel without a network: reliable, in order, as fast as both ends are. */
export class MemoryChannel implements ByteChannel {
  readonly path = PATH
  /** File bytes that this end has sent. */
  bodyBytes = 0
  /** Called after each piece of file bytes that has crossed. */
  onBody: (() => void) | undefined
  peer: MemoryChannel | undefined
  /** How long what this end sends is on its way. */
  latencyMs = 0
  #owner: ChannelOwner | undefined
  readonly #queue: Range[] = []
  #isStepping = false
  #isPaused = false
  #isClosed = false

  start(owner: ChannelOwner): void {
    this.#owner = owner
    this.#wake()
    this.peer?.sourceReady()
  }

  send(object: number, start: number, end: number): void {
    this.#queue.push({ object, start, end })
    // Lower objects go first, as on the real channel.
    this.#queue.sort((a, b) => a.object - b.object)
    this.#wake()
  }

  sourceReady(): void {
    this.#wake()
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#wake()
  }

  consumed(): void {}
  forget(): void {}
  setPolicy(): void {}
  setReceiveRate(): void {}
  setReceiveWeight(): void {}

  get owner(): ChannelOwner | undefined {
    return this.#owner
  }

  get pendingBytes(): number {
    return this.#queue.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  get unackedBytes(): number {
    return this.pendingBytes
  }

  stats(): ChannelStats {
    return {
      session: IDLE,
      udp: undefined,
      tcpSentBytes: 0,
      tcpTakenBytes: 0,
      tcpReceivedBytes: 0,
      path: PATH,
      engines: 'memory',
    }
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return
    this.end({ code, reason, by: 'self' })
    this.peer?.end({ code, reason, by: 'peer' })
  }

  /** The network is gone: neither end receives anything from the other. */
  cut(): void {
    this.end({ code: 7, reason: 'cut', by: 'network' })
    this.peer?.end({ code: 7, reason: 'cut', by: 'network' })
  }

  end(close: Parameters<ChannelOwner['closed']>[0]): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#owner?.closed(close)
  }

  #wake(): void {
    if (this.#isStepping || this.#isClosed) return
    this.#isStepping = true
    const step = (): void => {
      this.#isStepping = false
      if (this.#step()) this.#wake()
    }
    if (this.latencyMs === 0) setImmediate(step)
    else setTimeout(step, this.latencyMs)
  }

  /** @returns true when there may be more to do at once */
  #step(): boolean {
    const [range] = this.#queue
    const [owner, other] = [this.#owner, this.peer?.owner]
    if (range === undefined || owner === undefined || other === undefined || this.#isClosed || this.#isPaused)
      return false
    const length = Math.min(STEP_BYTES, range.end - range.start)
    const bytes = new Uint8Array(length)
    if (!owner.source.read(range.object, range.start, length, bytes, 0)) return false
    const { object, start } = range
    range.start += length
    if (range.start === range.end) this.#queue.splice(this.#queue.indexOf(range), 1)
    if (object === BODY_OBJECT) this.bodyBytes += length
    other.data(object, start, bytes)
    owner.acked(object, start, start + length)
    if (object === BODY_OBJECT) this.onBody?.()
    return true
  }
}

/** Two ends that are connected. */
export function channelPair(): readonly [MemoryChannel, MemoryChannel] {
  const [one, other] = [new MemoryChannel(), new MemoryChannel()]
  one.peer = other
  other.peer = one
  return [one, other]
}

const IDLE: ChannelStats['session'] = {
  sentPackets: 0,
  sentBytes: 0,
  receivedPackets: 0,
  receivedBytes: 0,
  lostPackets: 0,
  spuriousPackets: 0,
  repeatedBytes: 0,
  ackedBytes: 0,
  newBytesReceived: 0,
  limitBitsPerSecond: Infinity,
  weight: 1,
  duplicateBytesReceived: 0,
  droppedDatagrams: 0,
  held: { source: 0, peerWindow: 0, limit: 0, network: 0, idle: 0 },
  paths: [],
}
