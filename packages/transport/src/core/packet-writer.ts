import { dataHeadLength, writeDataHead } from './frames.ts'
import { HEADER_LENGTH, MAX_PACKET_NUMBER, PACKET_OVERHEAD, phaseOf, TAG_LENGTH, writeHeader } from './packets.ts'
import type { Path } from './path.ts'
import type { Piece } from './send-queue.ts'
import { SENT, type SentRecord } from './sent-packets.ts'
import type { SessionState } from './session-state.ts'
import type { AddressId, Batch, Micros, PacketView, PathId } from './session.types.ts'
import { CLOSE_CODES } from './wire.errors.ts'

/** One UDP send call holds 64 KiB less headers. */
export const MAX_BURST_BYTES = 65_000
const FIRST_BUFFER = 2048

/** Consecutive packets of one path that lie in the buffer from its beginning. */
interface Burst {
  readonly first: number
  readonly count: number
  readonly length: number
}

interface MutableBatch extends Batch {
  buffer: Uint8Array
  path: PathId
  to: AddressId
  segmentSize: number
  count: number
  length: number
}

/** Writes, records and seals packets, and hands them out as the batch that `poll` answers. */
export class PacketWriter {
  readonly #state: SessionState
  /** Room for one packet until data flows: a half-open session must be cheap. */
  #buffer = new Uint8Array(FIRST_BUFFER)
  readonly #batch: MutableBatch
  readonly #view: PacketView
  readonly #record: SentRecord = newRecord()

  constructor(state: SessionState) {
    this.#state = state
    this.#batch = { path: 0, to: 0, buffer: this.#buffer, segmentSize: 0, count: 0, length: 0 }
    this.#view = { buffer: this.#buffer, start: 0, bodyStart: 0, end: 0, pathId: 0, phase: 0, packetNumber: 0 }
  }

  /** Where the frames of a packet go: its first one from HEADER_LENGTH on. */
  get buffer(): Uint8Array {
    return this.#buffer
  }

  makeRoomForBurst(): void {
    if (this.#buffer.length < MAX_BURST_BYTES) this.#batch.buffer = this.#buffer = new Uint8Array(MAX_BURST_BYTES)
  }

  /** Finishes the packet whose frames lie in the buffer up to `end`. It carries no data and is not paced. */
  control(now: Micros, path: Path, packet: { to: AddressId; end: number; elicitsAck: boolean }): Batch {
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
    writeHeader(this.#buffer, 0, { path: path.id, id: this.#state.config.remoteConnectionId, number })
    this.#aim(path, number, { start: 0, end: packet.end })
    this.#state.config.protection.seal(this.#view)
    return this.#emit(now, path, { to: packet.to, segmentSize: size, count: 1, length: size })
  }

  /** Bytes of a piece that fit into a packet of this size. */
  roomFor(piece: Piece, size: number): number {
    return size - PACKET_OVERHEAD - dataHeadLength(piece.object, piece.offset)
  }

  /** Writes a DATA packet at `start`. @returns its size with tag; 0 when its bytes are not in memory yet */
  writePiece(path: Path, start: number, piece: Piece): number {
    const state = this.#state
    const at = writeDataHead(this.#buffer, start + HEADER_LENGTH, piece)
    if (!state.config.source.read(piece.object, piece.offset, piece.length, this.#buffer, at)) {
      state.isSourceReady = false
      return 0
    }
    const number = path.recovery.sent.next
    writeHeader(this.#buffer, start, { path: path.id, id: state.config.remoteConnectionId, number })
    return at + piece.length + TAG_LENGTH - start
  }

  /** Remembers a written packet as sent; it takes the next packet number. */
  recordPiece(now: Micros, path: Path, sent: { piece: Piece; packet: number; copies: number }): void {
    const { piece } = sent
    const record = this.#record
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

  /** Seals written packets and pays for them. */
  launch(now: Micros, path: Path, burst: Burst): Batch {
    const segmentSize = burst.count === 1 ? burst.length : path.sizes.current
    this.#seal(path, burst, segmentSize)
    path.pacer.take(burst.length)
    this.#state.limit.take(now, burst.length)
    return this.#emit(now, path, { to: path.address, segmentSize, count: burst.count, length: burst.length })
  }

  #seal(path: Path, burst: Burst, segmentSize: number): void {
    const { protection } = this.#state.config
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
    const { counts } = this.#state
    path.onSent(now)
    counts.sentPackets += sent.count
    counts.sentBytes += sent.length
    if (path.recovery.sent.next > MAX_PACKET_NUMBER)
      this.#state.end(now, { code: CLOSE_CODES.internal, reason: 'numbers', by: 'self' })
    const batch = this.#batch
    batch.path = path.id
    batch.to = sent.to
    batch.segmentSize = sent.segmentSize
    batch.count = sent.count
    batch.length = sent.length
    return batch
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
