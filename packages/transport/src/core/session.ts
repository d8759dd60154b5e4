// The session joins paths, queues and windows and owns the order of sending: one object, since all of it shares one state.
import { ackInterval } from './acks.ts'
import { Challenge } from './challenges.ts'
import { type AckHead, CHALLENGE_LENGTH, dataHeadLength, type DataSpan, decodeFrames, FRAME } from './frames.ts'
import {
  type FrameHandler,
  writeClose,
  writeDataHead,
  writeFiller,
  writeMaxData,
  writePing,
  writeToken,
} from './frames.ts'
import { HoldClock } from './hold-times.ts'
import { type PacketHeader, expandPacketNumber, MAX_PACKET_NUMBER, MAX_PATHS, PACKET_OVERHEAD } from './packets.ts'
import {
  HEADER_LENGTH,
  MIN_PACKET,
  PACKETS_PER_PHASE,
  phaseOf,
  readHeader,
  TAG_LENGTH,
  writeHeader,
} from './packets.ts'
import { Path } from './path.ts'
import { BASE_PACKET } from './pmtud.ts'
import { ReceiveObjects } from './receive-objects.ts'
import { type Piece, SendQueue } from './send-queue.ts'
import { PACKET_STATE, SENT, type SentRecord } from './sent-packets.ts'
import type {
  AddressId,
  Batch,
  CloseInfo,
  HoldTimes,
  Micros,
  ObjectId,
  ObjectRange,
  PacketView,
} from './session.types.ts'
import type { PathId, PathModel, PathState, Policy, Session, SessionConfig, SessionStats } from './session.types.ts'
import { Reader } from './varints.ts'
import { CLOSE_CODES, WireError } from './wire.errors.ts'

const DEFAULT_WINDOW = 64 * 1024 * 1024
const DEFAULT_BURST = 40
/** One UDP send call holds 64 KiB less headers. */
const MAX_BURST_BYTES = 65_000
const FIRST_BUFFER = 2048
/** A burst is worth a wake-up when it holds this much time of the pacing rate. */
const BURST_US = 1000
/** Tail copies: at most this share of all delivered bytes, beside a first allowance. */
const TAIL_SHARE = 0.01
const TAIL_ALLOWANCE = 256 * 1024
const MAX_COPIES = 2
/** A sender that the peer's window blocks asks again after this long: the frame that opens it may be lost. */
const WINDOW_PROBE_US = 100_000
const CLOSE_COPIES = 3

/** @see Session */
export function createSession(config: SessionConfig): Session {
  return new GwtSession(config)
}

interface MutableBatch extends Batch {
  buffer: Uint8Array
  path: PathId
  to: AddressId
  segmentSize: number
  count: number
  length: number
}

class GwtSession implements Session {
  readonly #config: SessionConfig
  readonly #paths: Array<Path | undefined> = []
  readonly #queue = new SendQueue()
  readonly #objects = new ReceiveObjects()
  readonly #held = new HoldClock()
  readonly #maxBurst: number
  /** Room for one packet until data flows: a half-open session must be cheap. */
  #buffer = new Uint8Array(FIRST_BUFFER)
  readonly #batch: MutableBatch
  readonly #header: PacketHeader = { phaseBit: 0, path: 0, low: 0 }
  readonly #view: PacketView
  readonly #reader = new Reader(new Uint8Array(0))
  readonly #piece: Piece = { object: 0, offset: 0, length: 0, isRepair: false }
  readonly #record: SentRecord = newRecord()
  readonly #ackHead: AckHead = { largest: 0, delayUs: 0, receiverClockUs: 0, receivedBytes: 0, receivedPackets: 0 }
  readonly #receiveWindow: number
  #policy: Policy
  #isPaused = false
  #isSourceReady = true
  #now: Micros = 0
  /** Path and source address of the packet being read. */
  #reading: { path: Path; from: AddressId; bytes: number; hasData: boolean } | undefined
  #turn = 0
  #closed: CloseInfo | undefined
  #closesOwed = 0
  #peerMaxData = 0
  #freshSent = 0
  #windowProbeAt: Micros = Infinity
  #consumed = 0
  #announced = 0
  #received = 0
  #tailSent = 0
  #tailCursor = -1
  #tailRestartAt: Micros = 0
  readonly #frames: FrameHandler = {
    ackBegin: (head) => this.#onAckBegin(head),
    ackRun: (first, last) => this.#reading?.path.recovery.ackRun(first, last),
    ackEnd: () => this.#onAckEnd(),
    maxData: (total) => {
      this.#peerMaxData = Math.max(this.#peerMaxData, total)
    },
    pathChallenge: (source, at) => this.#onPathChallenge(source, at),
    pathResponse: (source, at) => this.#onPathResponse(source, at),
    close: (close) => this.#end(this.#now, close),
    data: (object, offset, span) => this.#onData(object, offset, span),
  }
  readonly #counts = {
    sentPackets: 0,
    sentBytes: 0,
    receivedPackets: 0,
    receivedBytes: 0,
    repeatedBytes: 0,
    ackedBytes: 0,
    duplicateBytesReceived: 0,
    droppedDatagrams: 0,
  }

  constructor(config: SessionConfig) {
    const max = config.maxPacketSize ?? Infinity
    if (max < MIN_PACKET) throw new RangeError(`packet size below ${MIN_PACKET}: ${max}`)
    this.#config = config
    this.#policy = config.policy ?? { kind: 'fair' }
    this.#maxBurst = Math.min(64, config.maxBurst ?? DEFAULT_BURST)
    this.#receiveWindow = config.receiveWindow ?? DEFAULT_WINDOW
    this.#batch = { path: 0, to: 0, buffer: this.#buffer, segmentSize: 0, count: 0, length: 0 }
    this.#view = { buffer: this.#buffer, start: 0, bodyStart: 0, end: 0, pathId: 0, phase: 0, packetNumber: 0 }
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  get unackedBytes(): number {
    return this.#queue.unackedBytes
  }

  get pendingBytes(): number {
    return this.#queue.pendingBytes
  }

  // ---- what the owner asks for

  openPath(now: Micros, to: AddressId): PathId | undefined {
    if (this.#config.role !== 'client') throw new Error('only the client opens paths')
    const id = this.#paths.length
    if (id >= MAX_PATHS) return undefined
    this.#paths.push(this.#newPath(now, id, to))
    return id
  }

  movePath(now: Micros, id: PathId, to: AddressId): void {
    const path = this.#paths[id]
    if (path === undefined) return
    path.address = to
    path.challenge = new Challenge(now, to, false)
    path.revive(now)
  }

  send(object: ObjectId, start: number, end: number): void {
    this.#queue.add(object, start, end)
  }

  takePending(maxBytes: number): ObjectRange | undefined {
    const range = this.#queue.withdraw(maxBytes)
    if (range?.isRepair === true) this.#freshSent -= range.end - range.start
    return range
  }

  giveBack(object: ObjectId, start: number, end: number): void {
    this.#queue.lost(object, start, end)
  }

  markDelivered(object: ObjectId, start: number, end: number): void {
    this.#freshSent -= this.#queue.deliveredElsewhere(object, start, end)
  }

  markReceived(object: ObjectId, start: number, end: number): boolean {
    if (!this.#objects.accepts(object)) return false
    this.#objects.add(object, { start, end })
    return true
  }

  reclaim(): void {
    for (const path of this.#paths) path?.recovery.abandon()
  }

  forget(object: ObjectId): void {
    this.#queue.forget(object)
    this.#objects.forget(object)
  }

  sourceReady(): void {
    this.#isSourceReady = true
  }

  consumed(bytes: number): void {
    this.#consumed += bytes
    if (this.#grant() - this.#announced < this.#receiveWindow / 8) return
    this.#firstOpen()?.acks.soon(this.#now)
  }

  setPolicy(policy: Policy): void {
    this.#policy = policy
    for (const path of this.#paths) path?.setPolicy(this.#now, policy)
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  model(path: PathId): PathModel | undefined {
    return this.#paths[path]?.model()
  }

  stats(now: Micros): SessionStats {
    const paths = this.#paths.filter((path) => path !== undefined)
    return {
      ...this.#counts,
      lostPackets: paths.reduce((sum, path) => sum + path.recovery.lostPackets, 0),
      spuriousPackets: paths.reduce((sum, path) => sum + path.recovery.spuriousPackets, 0),
      newBytesReceived: this.#received,
      held: this.#held.totals(now),
      paths: paths.map((path) => path.stats()),
    }
  }

  close(now: Micros, code: number, reason: string): void {
    this.#end(now, { code, reason, by: 'self' })
  }

  // ---- receiving

  onDatagrams(now: Micros, buffer: Uint8Array, segmentSize: number, from: AddressId): void {
    for (let at = 0; at < buffer.length; at += segmentSize)
      this.onDatagram(now, buffer.subarray(at, at + segmentSize), from)
  }

  onDatagram(now: Micros, datagram: Uint8Array, from: AddressId): boolean {
    this.#now = now
    const path = this.#authenticate(now, datagram, from)
    if (path === undefined) {
      this.#counts.droppedDatagrams += 1
      return false
    }
    this.#counts.receivedPackets += 1
    this.#counts.receivedBytes += datagram.length
    if (this.#closed !== undefined) {
      this.#closesOwed = this.#closed.by === 'self' ? Math.min(this.#closesOwed + 1, CLOSE_COPIES) : 0
      return true
    }
    this.#readFrames(now, path, { datagram, from })
    return true
  }

  /** The path of a packet that is new and opens; undefined for everything else, without a trace. */
  #authenticate(now: Micros, datagram: Uint8Array, from: AddressId): Path | undefined {
    const header = this.#header
    if (!readHeader(datagram, this.#config.localConnectionId, header)) return undefined
    const known = this.#paths[header.path]
    if (known === undefined && (this.#config.role === 'client' || this.#closed !== undefined)) return undefined
    const largest = known?.received.largest ?? -1
    const packetNumber = expandPacketNumber(header.low, largest + 1)
    const phase = phaseOf(packetNumber)
    if (phase % 2 !== header.phaseBit || Math.abs(phase - phaseOf(Math.max(0, largest))) > 1) return undefined
    if (known !== undefined && !known.received.isNew(packetNumber)) return undefined
    const view = this.#view
    view.buffer = datagram
    view.start = 0
    view.bodyStart = HEADER_LENGTH
    view.end = datagram.length - TAG_LENGTH
    view.pathId = header.path
    view.phase = phase
    view.packetNumber = packetNumber
    if (!this.#config.protection.open(view)) return undefined
    const path = known ?? this.#newPath(now, header.path, from)
    this.#paths[header.path] = path
    this.#noteAddress(now, path, { from, bytes: datagram.length, isNewest: packetNumber > largest })
    path.received.record(now, packetNumber, datagram.length)
    return path
  }

  /** A newest packet from elsewhere: the peer may have moved; it must prove that before it gets more than three times its bytes. */
  #noteAddress(now: Micros, path: Path, packet: { from: AddressId; bytes: number; isNewest: boolean }): void {
    if (path.challenge?.address === packet.from) path.challenge.onReceived(packet.bytes)
    else if (packet.from !== path.address && packet.isNewest && this.#config.role === 'server') {
      path.challenge = new Challenge(now, packet.from, true)
      path.challenge.onReceived(packet.bytes)
      // No address of this path has proven anything yet: nothing may go to the former one uncounted.
      if (path.gcc === undefined) path.address = packet.from
    }
  }

  #readFrames(now: Micros, path: Path, packet: { datagram: Uint8Array; from: AddressId }): void {
    const reading = { path, from: packet.from, bytes: packet.datagram.length, hasData: false }
    this.#reading = reading
    this.#reader.reset(packet.datagram, HEADER_LENGTH, packet.datagram.length - TAG_LENGTH)
    try {
      const elicitsAck = decodeFrames(this.#reader, this.#frames)
      path.onReceived(now, reading.hasData)
      if (path.isAsleep) this.#setState(path, path.gcc === undefined ? 'probing' : 'open')
      if (elicitsAck) path.acks.onPacket(now, path.recovery.rtt.smoothed)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      const code = error.fault === 'flow-control' ? CLOSE_CODES.flowControl : CLOSE_CODES.protocol
      this.#end(now, { code, reason: error.fault, by: 'self' })
    } finally {
      this.#reading = undefined
    }
  }

  #onAckBegin(head: AckHead): void {
    Object.assign(this.#ackHead, head)
    this.#reading?.path.recovery.ackBegin(this.#now, head)
  }

  #onAckEnd(): void {
    const path = this.#reading?.path
    if (path === undefined) return
    path.onAckSummary(path.recovery.ackEnd(this.#ackHead))
    if (path.state === 'broken') this.#config.events.pathState(path.id, 'broken')
  }

  #onPathChallenge(source: Uint8Array, at: number): void {
    const reading = this.#reading
    if (reading === undefined) return
    const token = source.slice(at, at + CHALLENGE_LENGTH)
    reading.path.owedResponse = { token, to: reading.from, size: reading.bytes }
  }

  #onPathResponse(source: Uint8Array, at: number): void {
    const path = this.#reading?.path
    const proof = path?.challenge?.match(source, at)
    if (path?.challenge === undefined || proof === undefined) return
    const hasMoved = path.address !== path.challenge.address
    path.address = path.challenge.address
    path.challenge = undefined
    if (path.gcc === undefined) {
      path.open(this.#now, proof, this.#policy)
      this.#setState(path, 'open')
    }
    if (hasMoved) this.#config.events.migrated(path.id, path.address)
  }

  #onData(object: ObjectId, offset: number, span: DataSpan): void {
    const reading = this.#reading
    if (reading === undefined) return
    reading.hasData = true
    const { source } = this.#reader
    if (!this.#objects.accepts(object)) throw new WireError('overflow')
    if (this.#received + span.length > this.#grant() + this.#receiveWindow) throw new WireError('flow-control')
    const news = this.#objects.add(object, { start: offset, end: offset + span.length }, (start, end) => {
      const at = span.at + start - offset
      this.#config.events.data(object, start, source.subarray(at, at + end - start))
    })
    this.#received += news
    this.#counts.duplicateBytesReceived += span.length - news
  }

  // ---- sending

  poll(now: Micros): Batch | undefined {
    this.#now = now
    if (this.#closed !== undefined) return this.#pollClose(now)
    for (const path of this.#paths) {
      const batch = path === undefined ? undefined : this.#pollControl(now, path)
      if (batch !== undefined) return batch
    }
    return this.#pollData(now)
  }

  onTimer(now: Micros): void {
    this.#now = now
    for (const path of this.#paths) {
      if (path === undefined || path.state === 'dead') continue
      if (path.onTimer(now)) this.#config.events.pathState(path.id, 'dead')
    }
    if (now < this.#windowProbeAt) return
    this.#windowProbeAt = Infinity
    const path = this.#firstOpen()
    if (path !== undefined) path.owedPings = 1
  }

  nextWake(now: Micros): Micros {
    if (this.#closed !== undefined) return this.#closesOwed > 0 ? now : Infinity
    let wake = this.#windowProbeAt
    for (const path of this.#paths)
      if (path !== undefined && path.state !== 'dead') wake = Math.min(wake, this.#wakeOf(now, path))
    return Math.max(now, wake)
  }

  /** Only what `poll` or `onTimer` will then do counts, or the owner would spin. */
  #wakeOf(now: Micros, path: Path): Micros {
    if (path.owedResponse !== undefined) return now
    if (path.gcc === undefined) return path.timerAt
    if (path.owedPings > 0) return now
    const probeAt = path.isOpen ? path.sizes.probeAt : Infinity
    return Math.min(path.timerAt, path.acks.dueAt, probeAt, this.#dataAt(now, path))
  }

  #pollClose(now: Micros): Batch | undefined {
    const closed = this.#closed
    if (closed === undefined || this.#closesOwed === 0) return undefined
    this.#closesOwed -= 1
    const path = this.#firstOpen()
    if (path === undefined) return undefined
    const end = writeClose(this.#buffer, HEADER_LENGTH, closed)
    if (path.challenge?.address === path.address) {
      // The address may be forged, and a reason is longer than what may have come from there.
      if (path.challenge.allowance < end + TAG_LENGTH) return undefined
      path.challenge.onSent(end + TAG_LENGTH)
    }
    return this.#finishControl(now, path, { to: path.address, end, elicitsAck: false })
  }

  /** Answers, acknowledgements, challenges, PINGs and size probes: one packet, or undefined when none is due. */
  #pollControl(now: Micros, path: Path): Batch | undefined {
    if (path.state === 'dead') return undefined
    const challenge = path.challenge
    if (challenge !== undefined && now >= challenge.nextAt) {
      const batch = this.#pollChallenge(now, path, challenge)
      if (batch !== undefined) return batch
    }
    if (path.owedResponse !== undefined) return this.#pollResponse(now, path)
    if (path.gcc === undefined) return undefined
    if (now >= path.acks.dueAt || path.owedPings > 0) return this.#pollAck(now, path)
    const probe = path.isOpen ? path.sizes.probeDue(now) : 0
    return probe > 0 ? this.#pollSizeProbe(now, path, probe) : undefined
  }

  #pollChallenge(now: Micros, path: Path, challenge: Challenge): Batch | undefined {
    const isFirst = path.gcc === undefined
    const isLarge = isFirst && challenge.tries % 2 === 0 && challenge.allowance >= BASE_PACKET
    const size = Math.min(isLarge ? BASE_PACKET : MIN_PACKET, this.#config.maxPacketSize ?? Infinity)
    if (challenge.allowance < size) return undefined
    const token = challenge.issue(now, this.#config.random, size)
    let end = writeToken(this.#buffer, HEADER_LENGTH, { type: FRAME.pathChallenge, token })
    if (path.owedResponse?.to === challenge.address) {
      end = writeToken(this.#buffer, end, { type: FRAME.pathResponse, token: path.owedResponse.token })
      path.owedResponse = undefined
    }
    end = writeFiller(this.#buffer, end, size - TAG_LENGTH)
    challenge.onSent(size)
    return this.#finishControl(now, path, { to: challenge.address, end, elicitsAck: true })
  }

  #pollResponse(now: Micros, path: Path): Batch | undefined {
    const owed = path.owedResponse
    if (owed === undefined) return undefined
    path.owedResponse = undefined
    const limit = path.challenge?.address === owed.to ? path.challenge.allowance : owed.size
    const size = Math.min(owed.size, limit)
    let end = writeToken(this.#buffer, HEADER_LENGTH, { type: FRAME.pathResponse, token: owed.token })
    if (end + TAG_LENGTH > size) return undefined
    end = writeFiller(this.#buffer, end, size - TAG_LENGTH)
    if (path.challenge?.address === owed.to) path.challenge.onSent(size)
    return this.#finishControl(now, path, { to: owed.to, end, elicitsAck: true })
  }

  #pollAck(now: Micros, path: Path): Batch {
    this.#announced = this.#grant()
    let end = writeMaxData(this.#buffer, HEADER_LENGTH, this.#announced)
    const elicitsAck = path.owedPings > 0
    if (elicitsAck) {
      path.owedPings -= 1
      end = writePing(this.#buffer, end)
    }
    end = path.received.writeAck(now, this.#buffer, { at: end, end: path.sizes.current - TAG_LENGTH })
    path.acks.onSent()
    return this.#finishControl(now, path, { to: path.address, end, elicitsAck })
  }

  #pollSizeProbe(now: Micros, path: Path, size: number): Batch {
    path.sizes.onProbeSent(size)
    const end = writeFiller(this.#buffer, HEADER_LENGTH, size - TAG_LENGTH)
    return this.#finishControl(now, path, { to: path.address, end, elicitsAck: true })
  }

  #finishControl(now: Micros, path: Path, packet: { to: AddressId; end: number; elicitsAck: boolean }): Batch {
    const size = packet.end + TAG_LENGTH
    const record = this.#record
    record.sentAt = now
    record.bytes = size
    record.length = 0
    record.copies = 0
    record.flags = SENT.probe
    record.tag = 0
    const number = path.recovery.sent.next
    if (packet.elicitsAck) path.recovery.onSent(record)
    else path.recovery.onSentUncounted(record)
    this.#sealFirst(path, number, packet.end)
    return this.#emit(now, path, { to: packet.to, segmentSize: size, count: 1, length: size })
  }

  /** Writes the header of the packet at 0 and seals it. */
  #sealFirst(path: Path, number: number, end: number): void {
    writeHeader(this.#buffer, 0, { path: path.id, id: this.#config.remoteConnectionId, number })
    this.#aim(path, number, { start: 0, end })
    this.#config.protection.seal(this.#view)
  }

  #aim(path: Path, number: number, span: { start: number; end: number }): void {
    const view = this.#view
    view.buffer = this.#buffer
    view.start = span.start
    view.bodyStart = span.start + HEADER_LENGTH
    view.end = span.end
    view.pathId = path.id
    view.phase = phaseOf(number)
    view.packetNumber = number
  }

  #emit(now: Micros, path: Path, sent: { to: AddressId; segmentSize: number; count: number; length: number }): Batch {
    path.onSent(now)
    this.#counts.sentPackets += sent.count
    this.#counts.sentBytes += sent.length
    if (path.recovery.sent.next > MAX_PACKET_NUMBER)
      this.#end(now, { code: CLOSE_CODES.internal, reason: 'numbers', by: 'self' })
    this.#batch.path = path.id
    this.#batch.to = sent.to
    this.#batch.segmentSize = sent.segmentSize
    this.#batch.count = sent.count
    this.#batch.length = sent.length
    return this.#batch
  }

  /** Paths take turns, so that none starves behind a faster one; each takes what its own pace allows. */
  #pollData(now: Micros): Batch | undefined {
    for (let tries = 0; tries < this.#paths.length; tries++) {
      const path = this.#paths[this.#turn % this.#paths.length]
      const batch = path?.isOpen === true ? this.#pollBurst(now, path) : undefined
      if (batch !== undefined) return batch
      this.#turn = (this.#turn + 1) % this.#paths.length
    }
    return undefined
  }

  #pollBurst(now: Micros, path: Path): Batch | undefined {
    const cause = this.#whyHeld(now, path)
    if (cause !== undefined) {
      this.#held.set(now, cause)
      if (cause !== 'network') path.recovery.markAppLimited()
      return cause === 'idle' ? this.#pollTail(now, path) : undefined
    }
    const count = this.#burstSize(now, path)
    return this.#fillBurst(now, path, count)
  }

  /** What keeps this path from sending at this instant; undefined when nothing does. */
  #whyHeld(now: Micros, path: Path): keyof HoldTimes | undefined {
    const size = path.sizes.current
    if (this.#isPaused || this.#queue.pendingBytes === 0) return 'idle'
    if (!this.#isSourceReady) return 'source'
    if (this.#credit() <= 0 && this.#queue.repairBytes === 0) {
      if (this.#windowProbeAt === Infinity) this.#windowProbeAt = now + WINDOW_PROBE_US
      return 'peerWindow'
    }
    const worthwhile = this.#worthwhile(path)
    if ((this.#config.limit?.available(now) ?? Infinity) < worthwhile) return 'limit'
    if (path.room < size || path.pacer.available(now) < worthwhile) return 'network'
    return undefined
  }

  /** Credit that is worth a wake-up, bytes. */
  #worthwhile(path: Path): number {
    const size = path.sizes.current
    const limit = (this.#config.limit?.rate() ?? Infinity) / 8e6
    const packets = Math.min(
      this.#maxBurst,
      Math.max(1, (Math.min(path.gcc?.pacingRate ?? 0, limit) * BURST_US) / size),
    )
    const needed = Math.ceil(this.#queue.pendingBytes / size)
    return Math.floor(Math.min(packets, needed)) * size
  }

  #burstSize(now: Micros, path: Path): number {
    const size = path.sizes.current
    const bytes = Math.min(path.room, path.pacer.available(now), this.#config.limit?.available(now) ?? Infinity)
    const phaseLeft = PACKETS_PER_PHASE - (path.recovery.sent.next % PACKETS_PER_PHASE)
    const fits = Math.min(this.#maxBurst, Math.floor(MAX_BURST_BYTES / size), phaseLeft)
    return Math.max(1, Math.min(fits, Math.floor(bytes / size)))
  }

  /** Fills up to `wanted` packets of the same size; a shorter one ends the batch. */
  #fillBurst(now: Micros, path: Path, wanted: number): Batch | undefined {
    if (this.#buffer.length < MAX_BURST_BYTES) this.#batch.buffer = this.#buffer = new Uint8Array(MAX_BURST_BYTES)
    const size = path.sizes.current
    const first = path.recovery.sent.next
    let count = 0
    let length = 0
    let packet = size
    while (count < wanted && packet === size && !path.recovery.sent.isFull) {
      packet = this.#writeData(path, length, size)
      if (packet === 0) break
      this.#queue.take(this.#piece)
      if (this.#piece.isRepair) this.#counts.repeatedBytes += this.#piece.length
      else this.#freshSent += this.#piece.length
      this.#recordData(now, path, { packet, copies: 0 })
      count += 1
      length += packet
    }
    if (count === 0) return undefined
    this.#tailCursor = -1
    return this.#launch(now, path, { first, count, length })
  }

  /** Writes one DATA packet at `start` from the queue; answers its size with tag, or 0 when nothing can be sent. */
  #writeData(path: Path, start: number, size: number): number {
    const piece = this.#piece
    if (!this.#queue.peek(piece, size, this.#credit())) return 0
    const room = size - PACKET_OVERHEAD - dataHeadLength(piece.object, piece.offset)
    piece.length = Math.min(piece.length, room)
    return this.#writePiece(path, start)
  }

  #writePiece(path: Path, start: number): number {
    const piece = this.#piece
    const at = writeDataHead(this.#buffer, start + HEADER_LENGTH, piece)
    if (!this.#config.source.read(piece.object, piece.offset, piece.length, this.#buffer, at)) {
      this.#isSourceReady = false
      return 0
    }
    const number = path.recovery.sent.next
    writeHeader(this.#buffer, start, { path: path.id, id: this.#config.remoteConnectionId, number })
    return at + piece.length + TAG_LENGTH - start
  }

  #recordData(now: Micros, path: Path, sent: { packet: number; copies: number }): void {
    const record = this.#record
    const piece = this.#piece
    record.sentAt = now
    record.bytes = sent.packet
    record.object = piece.object
    record.offset = piece.offset
    record.length = piece.length
    record.flags = piece.isRepair ? SENT.repeat : 0
    record.copies = sent.copies
    record.tag = path.gcc?.tag ?? 0
    path.recovery.onSent(record)
  }

  #launch(now: Micros, path: Path, burst: { first: number; count: number; length: number }): Batch {
    const segmentSize = burst.count === 1 ? burst.length : path.sizes.current
    this.#seal(path, burst, segmentSize)
    path.pacer.take(burst.length)
    this.#config.limit?.take(now, burst.length)
    return this.#emit(now, path, { to: path.address, segmentSize, count: burst.count, length: burst.length })
  }

  #seal(path: Path, burst: { first: number; count: number; length: number }, segmentSize: number): void {
    const { protection } = this.#config
    const isEven = burst.length === segmentSize * burst.count
    if (protection.sealBurst !== undefined && isEven) {
      this.#aim(path, burst.first, { start: 0, end: segmentSize - TAG_LENGTH })
      protection.sealBurst(this.#view, segmentSize, burst.count)
      return
    }
    for (let index = 0; index < burst.count; index++) {
      const start = index * segmentSize
      const end = Math.min(start + segmentSize, burst.length) - TAG_LENGTH
      this.#aim(path, burst.first + index, { start, end })
      protection.seal(this.#view)
    }
  }

  /** Nothing new to send and the window open: bytes still under way go out again, newest first, so that a lost tail costs no round trip. */
  #pollTail(now: Micros, path: Path): Batch | undefined {
    const size = path.sizes.current
    if (this.#isPaused || !this.#hasTail(path)) return undefined
    if (path.room < size || path.pacer.available(now) < size) return undefined
    if ((this.#config.limit?.available(now) ?? Infinity) < size) return undefined
    const original = this.#nextTail(now, path)
    if (original < 0) return undefined
    const { sent } = path.recovery
    const piece = this.#piece
    piece.object = sent.object(original)
    piece.offset = sent.offset(original)
    piece.length = Math.min(sent.length(original), size - PACKET_OVERHEAD - dataHeadLength(piece.object, piece.offset))
    piece.isRepair = true
    const first = sent.next
    const packet = this.#writePiece(path, 0)
    if (packet === 0) return undefined
    if (piece.length === sent.length(original)) sent.addFlag(original, SENT.superseded)
    this.#recordData(now, path, { packet, copies: sent.copies(original) + 1 })
    this.#tailSent += packet
    this.#counts.repeatedBytes += piece.length
    return this.#launch(now, path, { first, count: 1, length: packet })
  }

  /** Copies are worth while on a line that loses, and within their budget. */
  #hasTail(path: Path): boolean {
    const budget = TAIL_ALLOWANCE + this.#counts.ackedBytes * TAIL_SHARE - this.#tailSent
    return path.recovery.lostPackets > 0 && this.#queue.unackedBytes > 0 && budget >= path.sizes.current
  }

  /** The newest packet under way that deserves a copy, or -1. Looks through the window once per round trip. */
  #nextTail(now: Micros, path: Path): number {
    const { sent } = path.recovery
    if (this.#tailCursor < 0) {
      if (now < this.#tailRestartAt) return -1
      this.#tailCursor = sent.next - 1
      this.#tailRestartAt = now + path.recovery.rtt.smoothed
    }
    while (this.#tailCursor >= sent.oldest) {
      const candidate = this.#tailCursor--
      if (sent.state(candidate) !== PACKET_STATE.inFlight || sent.length(candidate) === 0) continue
      if (sent.has(candidate, SENT.superseded) || sent.copies(candidate) >= MAX_COPIES) continue
      const offset = sent.offset(candidate)
      if (!this.#queue.isAcked(sent.object(candidate), offset, offset + sent.length(candidate))) return candidate
    }
    this.#tailCursor = -1
    return -1
  }

  /** When this path may send data again by time alone; Infinity when it waits for something else. */
  #dataAt(now: Micros, path: Path): Micros {
    const size = path.sizes.current
    const isTail = this.#queue.pendingBytes === 0
    if (!this.#mayPace(path, isTail)) {
      path.pacer.stopWaiting()
      return Infinity
    }
    const wanted = isTail ? size : this.#worthwhile(path)
    const paced = path.pacer.readyAt(now, wanted)
    const limited = this.#config.limit?.readyAt(now, wanted) ?? now
    const wake = Math.max(paced, limited)
    if (!isTail) return wake
    return this.#tailCursor < 0 ? Math.max(wake, this.#tailRestartAt) : wake
  }

  /** Nothing but time is missing for the next packet. */
  #mayPace(path: Path, isTail: boolean): boolean {
    if (!path.isOpen || this.#isPaused || !this.#isSourceReady || path.room < path.sizes.current) return false
    return isTail ? this.#hasTail(path) : this.#credit() > 0 || this.#queue.repairBytes > 0
  }

  // ---- shared

  #newPath(now: Micros, id: PathId, address: AddressId): Path {
    return new Path(now, this.#config, {
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
    this.#queue.acked(object, { start, end: start + length }, (from, to) => {
      this.#counts.ackedBytes += to - from
      this.#config.events.acked(object, from, to)
    })
  }

  #onRangeLost(path: Path, packetNumber: number): void {
    const { sent } = path.recovery
    const length = sent.length(packetNumber)
    if (length === 0 || sent.has(packetNumber, SENT.superseded)) return
    const start = sent.offset(packetNumber)
    this.#queue.lost(sent.object(packetNumber), start, start + length)
  }

  #setState(path: Path, state: PathState): void {
    path.state = state
    if (state === 'open') {
      path.recovery.peerAckDelayUs = ackInterval(path.recovery.rtt.smoothed)
      path.acks.soon(this.#now)
    }
    this.#config.events.pathState(path.id, state)
  }

  #firstOpen(): Path | undefined {
    return this.#paths.find((path) => path?.isOpen === true) ?? this.#paths.find((path) => path !== undefined)
  }

  /** Total bytes of new data that the peer may send. */
  #grant(): number {
    return this.#consumed + this.#receiveWindow
  }

  #credit(): number {
    return this.#peerMaxData - this.#freshSent
  }

  #end(now: Micros, close: CloseInfo): void {
    if (this.#closed !== undefined) return
    this.#held.set(now, 'idle')
    this.#closed = close
    this.#closesOwed = close.by === 'self' ? 1 : 0
    this.#config.events.closed(close)
  }
}

function newRecord(): SentRecord {
  return {
    sentAt: 0,
    bytes: 0,
    object: 0,
    offset: 0,
    length: 0,
    flags: 0,
    copies: 0,
    tag: 0,
    deliveredBytes: 0,
    receiverClockUs: 0,
    windowSentAt: 0,
    inFlight: 0,
  }
}
