import { Challenge } from './challenges.ts'
import { type AckHead, CHALLENGE_LENGTH, type DataSpan, decodeFrames, type FrameHandler } from './frames.ts'
import { expandPacketNumber, HEADER_LENGTH, type PacketHeader, phaseOf, readHeader, TAG_LENGTH } from './packets.ts'
import type { Path } from './path.ts'
import { ReceiveObjects } from './receive-objects.ts'
import type { SessionState } from './session-state.ts'
import type { AddressId, Micros, ObjectId, PacketView } from './session.types.ts'
import { Reader } from './varints.ts'
import { CLOSE_CODES, WireError } from './wire.errors.ts'

/** A closed side answers late packets with so many CLOSE frames at once, at most. */
const CLOSE_COPIES = 3

/** Reads the datagrams of a session: opens them, and does what their frames say. */
export class PacketReader {
  readonly #state: SessionState
  /** What has arrived, over any channel. */
  readonly #objects = new ReceiveObjects()
  readonly #header: PacketHeader = { phaseBit: 0, path: 0, low: 0 }
  readonly #view: PacketView
  readonly #reader = new Reader(new Uint8Array(0))
  readonly #ackHead: AckHead = { largest: 0, delayUs: 0, receiverClockUs: 0, receivedBytes: 0, receivedPackets: 0 }
  /** Path and source address of the packet being read. */
  #reading: { path: Path; from: AddressId; bytes: number; hasData: boolean } | undefined
  readonly #frames: FrameHandler = {
    ackBegin: (head) => this.#onAckBegin(head),
    ackRun: (first, last) => this.#reading?.path.recovery.ackRun(first, last),
    ackEnd: () => this.#onAckEnd(),
    maxData: (total) => this.#state.credit.onMaxData(total),
    pathChallenge: (source, at) => this.#onPathChallenge(source, at),
    pathResponse: (source, at) => this.#onPathResponse(source, at),
    close: (close) => this.#state.end(this.#state.now, close),
    data: (object, offset, span) => this.#onData(object, offset, span),
  }

  constructor(state: SessionState) {
    this.#state = state
    const buffer = new Uint8Array(0)
    this.#view = { buffer, start: 0, bodyStart: 0, end: 0, pathId: 0, phase: 0, packetNumber: 0 }
  }

  /** @see Session.markReceived */
  markReceived(object: ObjectId, start: number, end: number): boolean {
    if (!this.#objects.accepts(object)) return false
    this.#objects.add(object, { start, end })
    return true
  }

  forget(object: ObjectId): void {
    this.#objects.forget(object)
  }

  /** @see Session.onDatagram */
  read(now: Micros, datagram: Uint8Array, from: AddressId): boolean {
    const state = this.#state
    state.now = now
    const path = this.#authenticate(now, datagram, from)
    if (path === undefined) {
      state.counts.droppedDatagrams += 1
      return false
    }
    state.counts.receivedPackets += 1
    state.counts.receivedBytes += datagram.length
    if (state.closed !== undefined) {
      state.closesOwed = state.closed.by === 'self' ? Math.min(state.closesOwed + 1, CLOSE_COPIES) : 0
      return true
    }
    this.#readFrames(now, path, { datagram, from })
    return true
  }

  /** The path of a packet that is new and opens; undefined for everything else, without a trace. */
  #authenticate(now: Micros, datagram: Uint8Array, from: AddressId): Path | undefined {
    const { config, paths, closed } = this.#state
    const header = this.#header
    if (!readHeader(datagram, config.localConnectionId, header)) return undefined
    const known = paths[header.path]
    if (known === undefined && (config.role === 'client' || closed !== undefined)) return undefined
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
    if (!config.protection.open(view)) return undefined
    const path = known ?? this.#state.newPath(now, header.path, from)
    paths[header.path] = path
    this.#noteAddress(now, path, { from, bytes: datagram.length, isNewest: packetNumber > largest })
    path.received.record(now, packetNumber, datagram.length)
    return path
  }

  /** A newest packet from elsewhere: the peer may have moved; it must prove that before it gets more than three times its bytes. */
  #noteAddress(now: Micros, path: Path, packet: { from: AddressId; bytes: number; isNewest: boolean }): void {
    if (path.challenge?.address === packet.from) path.challenge.onReceived(packet.bytes)
    else if (packet.from !== path.address && packet.isNewest && this.#state.config.role === 'server') {
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
      if (path.isAsleep) this.#state.setPathState(path, path.gcc === undefined ? 'probing' : 'open')
      if (elicitsAck) path.acks.onPacket(now, path.recovery.rtt.smoothed)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      const code = error.fault === 'flow-control' ? CLOSE_CODES.flowControl : CLOSE_CODES.protocol
      this.#state.end(now, { code, reason: error.fault, by: 'self' })
    } finally {
      this.#reading = undefined
    }
  }

  #onAckBegin(head: AckHead): void {
    Object.assign(this.#ackHead, head)
    this.#reading?.path.recovery.ackBegin(this.#state.now, head)
  }

  #onAckEnd(): void {
    const path = this.#reading?.path
    if (path === undefined) return
    path.onAckSummary(path.recovery.ackEnd(this.#ackHead))
    if (path.state === 'broken') this.#state.config.events.pathState(path.id, 'broken')
  }

  #onPathChallenge(source: Uint8Array, at: number): void {
    const reading = this.#reading
    if (reading === undefined) return
    const token = source.slice(at, at + CHALLENGE_LENGTH)
    reading.path.owedResponse = { token, to: reading.from, size: reading.bytes }
  }

  #onPathResponse(source: Uint8Array, at: number): void {
    const state = this.#state
    const path = this.#reading?.path
    const proof = path?.challenge?.match(source, at)
    if (path?.challenge === undefined || proof === undefined) return
    const hasMoved = path.address !== path.challenge.address
    path.address = path.challenge.address
    path.challenge = undefined
    if (path.gcc === undefined) {
      path.open(state.now, proof, state.policy)
      state.setPathState(path, 'open')
    }
    if (hasMoved) state.config.events.migrated(path.id, path.address)
  }

  #onData(object: ObjectId, offset: number, span: DataSpan): void {
    const reading = this.#reading
    if (reading === undefined) return
    reading.hasData = true
    const { window, config, counts } = this.#state
    const { source } = this.#reader
    if (!this.#objects.accepts(object)) throw new WireError('overflow')
    if (!window.allows(span.length)) throw new WireError('flow-control')
    const news = this.#objects.add(object, { start: offset, end: offset + span.length }, (start, end) => {
      const at = span.at + start - offset
      config.events.data(object, start, source.subarray(at, at + end - start))
    })
    window.onReceived(news)
    counts.duplicateBytesReceived += span.length - news
  }
}
