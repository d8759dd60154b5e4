import { ackInterval } from './acks.ts'
import { ReceiveWindow, SendCredit } from './flow-control.ts'
import { HoldClock } from './hold-times.ts'
import { Path } from './path.ts'
import { createRateLimit } from './rate-limits.ts'
import { SendQueue } from './send-queue.ts'
import { SENT } from './sent-packets.ts'
import type {
  AddressId,
  CloseInfo,
  Micros,
  PathId,
  PathState,
  Policy,
  RateCeiling,
  SessionConfig,
} from './session.types.ts'

export const DEFAULT_WINDOW = 64 * 1024 * 1024

/** What the reading, the sending and the owner's side of one session share. */
export class SessionState {
  readonly config: SessionConfig
  readonly paths: Array<Path | undefined> = []
  readonly queue = new SendQueue()
  readonly held = new HoldClock()
  readonly window: ReceiveWindow
  readonly credit = new SendCredit()
  /** What the peer allows, below what the owner does. */
  readonly limit: RateCeiling
  readonly counts = {
    sentPackets: 0,
    sentBytes: 0,
    receivedPackets: 0,
    receivedBytes: 0,
    repeatedBytes: 0,
    ackedBytes: 0,
    duplicateBytesReceived: 0,
    droppedDatagrams: 0,
  }
  policy: Policy
  isPaused = false
  isSourceReady = true
  /** Instant of the call that is being served, or of the last one. */
  now: Micros = 0
  closed: CloseInfo | undefined
  /** CLOSE frames that are still to be sent. */
  closesOwed = 0

  constructor(config: SessionConfig) {
    this.config = config
    this.policy = config.policy ?? { kind: 'fair' }
    this.limit = createRateLimit(0, Infinity, config.limit)
    this.window = new ReceiveWindow(config.receiveWindow ?? DEFAULT_WINDOW)
  }

  get firstOpenPath(): Path | undefined {
    return this.paths.find((path) => path?.isOpen === true) ?? this.paths.find((path) => path !== undefined)
  }

  newPath(now: Micros, id: PathId, address: AddressId): Path {
    return new Path(now, this.config, {
      id,
      address,
      events: {
        rangeAcked: (path, packetNumber) => this.#onRangeAcked(path, packetNumber),
        rangeLost: (path, packetNumber) => this.#onRangeLost(path, packetNumber),
      },
    })
  }

  #onRangeAcked(path: Path, packetNumber: number): void {
    const { sent } = path.recovery
    const length = sent.length(packetNumber)
    if (length === 0) return
    const object = sent.object(packetNumber)
    const start = sent.offset(packetNumber)
    this.queue.acked(object, { start, end: start + length }, (from, to) => {
      this.counts.ackedBytes += to - from
      this.config.events.acked(object, from, to)
    })
  }

  #onRangeLost(path: Path, packetNumber: number): void {
    const { sent } = path.recovery
    const length = sent.length(packetNumber)
    if (length === 0 || sent.has(packetNumber, SENT.superseded)) return
    const start = sent.offset(packetNumber)
    this.queue.lost(sent.object(packetNumber), start, start + length)
  }

  setPathState(path: Path, state: PathState): void {
    path.state = state
    if (state === 'open') {
      path.recovery.peerAckDelayUs = ackInterval(path.recovery.rtt.smoothed)
      path.acks.soon(this.now)
    }
    this.config.events.pathState(path.id, state)
  }

  end(now: Micros, close: CloseInfo): void {
    if (this.closed !== undefined) return
    this.held.set(now, 'idle')
    this.closed = close
    this.closesOwed = close.by === 'self' ? 1 : 0
    this.config.events.closed(close)
  }
}
