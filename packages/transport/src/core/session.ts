import { Challenge } from './challenges.ts'
import { ControlPackets } from './control-packets.ts'
import { DataPackets } from './data-packets.ts'
import { PacketReader } from './packet-reader.ts'
import { PacketWriter } from './packet-writer.ts'
import { weightOf } from './gcc.ts'
import { MAX_PATHS, MIN_PACKET } from './packets.ts'
import type { Path } from './path.ts'
import { SessionState } from './session-state.ts'
import type {
  AddressId,
  Batch,
  Micros,
  ObjectId,
  ObjectRange,
  PathId,
  PathModel,
  Policy,
  RateCeiling,
  Session,
  SessionConfig,
  SessionStats,
} from './session.types.ts'

/** @see Session */
export function createSession(config: SessionConfig): Session {
  return new GwtSession(config)
}

class GwtSession implements Session {
  readonly #state: SessionState
  readonly #reader: PacketReader
  readonly #control: ControlPackets
  readonly #data: DataPackets

  constructor(config: SessionConfig) {
    const max = config.maxPacketSize ?? Infinity
    if (max < MIN_PACKET) throw new RangeError(`packet size below ${MIN_PACKET}: ${max}`)
    this.#state = new SessionState(config)
    this.#reader = new PacketReader(this.#state)
    const writer = new PacketWriter(this.#state)
    this.#control = new ControlPackets(this.#state, writer)
    this.#data = new DataPackets(this.#state, writer)
  }

  get isClosed(): boolean {
    return this.#state.closed !== undefined
  }

  get unackedBytes(): number {
    return this.#state.queue.unackedBytes
  }

  get pendingBytes(): number {
    return this.#state.queue.pendingBytes
  }

  // ---- calls of the owner

  openPath(now: Micros, to: AddressId): PathId | undefined {
    const { config, paths } = this.#state
    if (config.role !== 'client') throw new Error('only the client opens paths')
    const id = paths.length
    if (id >= MAX_PATHS) return undefined
    paths.push(this.#state.newPath(now, id, to))
    return id
  }

  movePath(now: Micros, id: PathId, to: AddressId): void {
    const path = this.#state.paths[id]
    if (path === undefined) return
    path.address = to
    path.challenge = new Challenge(now, to, false)
    path.revive(now)
  }

  send(object: ObjectId, start: number, end: number): void {
    this.#state.queue.add(object, start, end)
  }

  takePending(maxBytes: number): ObjectRange | undefined {
    const range = this.#state.queue.withdraw(maxBytes)
    if (range?.isRepair === true) this.#state.credit.giveBack(range.end - range.start)
    return range
  }

  giveBack(object: ObjectId, start: number, end: number): void {
    this.#state.queue.lost(object, start, end)
  }

  markDelivered(object: ObjectId, start: number, end: number): void {
    this.#state.credit.giveBack(this.#state.queue.deliveredElsewhere(object, start, end))
  }

  markReceived(object: ObjectId, start: number, end: number): boolean {
    return this.#reader.markReceived(object, start, end)
  }

  reclaim(): void {
    for (const path of this.#state.paths) path?.recovery.abandon()
  }

  forget(object: ObjectId): void {
    this.#state.queue.forget(object)
    this.#reader.forget(object)
  }

  sourceReady(): void {
    this.#state.isSourceReady = true
  }

  consumed(bytes: number): void {
    const isWorthReporting = this.#state.window.consume(bytes)
    if (isWorthReporting) this.#state.firstOpenPath?.acks.soon(this.#state.now)
  }

  setPolicy(policy: Policy): void {
    this.#state.policy = policy
    for (const path of this.#state.paths) path?.setPolicy(this.#state.now, policy)
  }

  get limit(): RateCeiling {
    return this.#state.limit
  }

  setPaused(isPaused: boolean): void {
    this.#state.isPaused = isPaused
  }

  model(path: PathId): PathModel | undefined {
    return this.#state.paths[path]?.model()
  }

  stats(now: Micros): SessionStats {
    const { counts, held, window } = this.#state
    const paths = this.#state.paths.filter((path) => path !== undefined)
    return {
      ...counts,
      lostPackets: paths.reduce((sum, path) => sum + path.recovery.lostPackets, 0),
      spuriousPackets: paths.reduce((sum, path) => sum + path.recovery.spuriousPackets, 0),
      newBytesReceived: window.receivedBytes,
      held: held.totals(now),
      limitBitsPerSecond: this.#state.limit.rate(),
      weight: weightOf(this.#state.policy),
      paths: paths.map((path) => path.stats()),
    }
  }

  close(now: Micros, code: number, reason: string): void {
    this.#state.end(now, { code, reason, by: 'self' })
  }

  // ---- datagrams

  onDatagrams(now: Micros, buffer: Uint8Array, segmentSize: number, from: AddressId): void {
    for (let at = 0; at < buffer.length; at += segmentSize)
      this.onDatagram(now, buffer.subarray(at, at + segmentSize), from)
  }

  onDatagram(now: Micros, datagram: Uint8Array, from: AddressId): boolean {
    return this.#reader.read(now, datagram, from)
  }

  poll(now: Micros): Batch | undefined {
    const { closed, paths } = this.#state
    this.#state.now = now
    if (closed !== undefined) return this.#control.pollClose(now)
    for (const path of paths) {
      const batch = path === undefined ? undefined : this.#control.poll(now, path)
      if (batch !== undefined) return batch
    }
    return this.#data.poll(now)
  }

  // ---- time

  onTimer(now: Micros): void {
    const { config, credit, paths } = this.#state
    this.#state.now = now
    for (const path of paths) {
      if (path === undefined || path.state === 'dead') continue
      if (path.onTimer(now)) config.events.pathState(path.id, 'dead')
    }
    const asking = credit.takeProbe(now) ? this.#state.firstOpenPath : undefined
    if (asking !== undefined) asking.owedPings = 1
  }

  nextWake(now: Micros): Micros {
    const { closed, closesOwed, credit, paths } = this.#state
    if (closed !== undefined) return closesOwed > 0 ? now : Infinity
    let wake = credit.probeAt
    for (const path of paths)
      if (path !== undefined && path.state !== 'dead') wake = Math.min(wake, this.#wakeOf(now, path))
    return Math.max(now, wake)
  }

  /** Only what `poll` or `onTimer` will then do counts, or the owner would spin. */
  #wakeOf(now: Micros, path: Path): Micros {
    if (path.owedResponse !== undefined) return now
    if (path.gcc === undefined) return path.timerAt
    if (path.owedPings > 0) return now
    const probeAt = path.isOpen ? path.sizes.probeAt : Infinity
    return Math.min(path.timerAt, path.acks.dueAt, probeAt, this.#data.readyAt(now, path))
  }
}
