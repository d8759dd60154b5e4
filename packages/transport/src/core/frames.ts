import type { CloseInfo, ObjectId } from './session.types.ts'
import { type Reader, writeVarint, varintLength } from './varints.ts'
import { WireError } from './wire.errors.ts'

/** Frame types. Types from 0x40 on carry a length and are skipped when unknown. */
export const FRAME = {
  padding: 0x00,
  ping: 0x01,
  ackRanges: 0x02,
  ackBitmap: 0x03,
  maxData: 0x04,
  pathChallenge: 0x05,
  pathResponse: 0x06,
  pmtuProbe: 0x07,
  close: 0x08,
  data: 0x09,
  firstIgnorable: 0x40,
} as const

export const CHALLENGE_LENGTH = 8
export const MAX_OBJECT_ID = 2 ** 32 - 1
/** Highest end of an object that DATA may name; leaves room for sums in a double. */
export const MAX_OFFSET = 2 ** 52
export const MAX_REASON_BYTES = 256
/** Ranges of one ACK: stops a peer from buying long work with a short packet. */
export const MAX_ACK_RANGES = 1024
/** Packets that one ACK may span: the replay window. */
export const MAX_ACK_SPAN = 2 ** 17

/** The fields of an ACK besides its packets. Reused by the decoder: borrow, do not keep. */
export interface AckHead {
  /** Highest packet number received. */
  largest: number
  /** Microseconds between the arrival of `largest` and the sending of this ACK. */
  delayUs: number
  /** The receiver's own monotonic microseconds when it sent this ACK; only differences mean anything. */
  receiverClockUs: number
  /** UDP payload bytes received on this path so far. */
  receivedBytes: number
  /** Packets received on this path so far, duplicates not counted. */
  receivedPackets: number
}

/** What a packet's frames do. All arguments are borrowed. */
export interface FrameHandler {
  ackBegin(head: AckHead): void
  /** Packets [first, last] were received. */
  ackRun(first: number, last: number): void
  ackEnd(): void
  maxData(total: number): void
  pathChallenge(source: Uint8Array, at: number): void
  pathResponse(source: Uint8Array, at: number): void
  close(close: CloseInfo): void
  data(object: ObjectId, offset: number, span: DataSpan): void
}

/** Where the bytes of a DATA frame lie in the packet. Reused. */
export interface DataSpan {
  at: number
  length: number
}

const ackHead: AckHead = { largest: 0, delayUs: 0, receiverClockUs: 0, receivedBytes: 0, receivedPackets: 0 }
const span: DataSpan = { at: 0, length: 0 }

/**
 * Reads all frames of a packet body. Returns whether any of them requires an acknowledgement.
 * Allocates nothing that grows with a length field.
 * @throws WireError on anything that is not a well-formed sequence of frames
 */
export function decodeFrames(reader: Reader, handler: FrameHandler): boolean {
  let elicitsAck = false
  while (reader.left > 0) {
    const type = reader.varint()
    if (type === FRAME.padding) return elicitsAck
    elicitsAck ||= !isPassive(type)
    decodeFrame(type, reader, handler)
  }
  return elicitsAck
}

/** Frames that need no acknowledgement, or two silent peers would acknowledge each other for ever. */
function isPassive(type: number): boolean {
  return type === FRAME.ackRanges || type === FRAME.ackBitmap || type === FRAME.maxData || type === FRAME.close
}

function decodeFrame(type: number, reader: Reader, handler: FrameHandler): void {
  switch (type) {
    case FRAME.ping:
      return
    case FRAME.ackRanges:
      return decodeAckRanges(reader, handler)
    case FRAME.ackBitmap:
      return decodeAckBitmap(reader, handler)
    case FRAME.maxData:
      return handler.maxData(reader.varint())
    case FRAME.pathChallenge:
      return handler.pathChallenge(reader.source, reader.skip(CHALLENGE_LENGTH))
    case FRAME.pathResponse:
      return handler.pathResponse(reader.source, reader.skip(CHALLENGE_LENGTH))
    case FRAME.pmtuProbe:
      reader.skip(reader.left)
      return
    case FRAME.close:
      return decodeClose(reader, handler)
    case FRAME.data:
      return decodeData(reader, handler)
    default:
      if (type < FRAME.firstIgnorable) throw new WireError('frame-type')
      reader.skip(reader.varint())
  }
}

function decodeAckHead(reader: Reader): void {
  ackHead.largest = reader.varint()
  ackHead.delayUs = reader.varint()
  ackHead.receiverClockUs = reader.varint()
  ackHead.receivedBytes = reader.varint()
  ackHead.receivedPackets = reader.varint()
}

function decodeAckRanges(reader: Reader, handler: FrameHandler): void {
  decodeAckHead(reader)
  const more = reader.varint()
  if (more >= MAX_ACK_RANGES) throw new WireError('ack-range')
  handler.ackBegin(ackHead)
  let last = ackHead.largest
  for (let index = 0; ; index++) {
    const first = last - reader.varint()
    if (first < 0 || ackHead.largest - first >= MAX_ACK_SPAN) throw new WireError('ack-range')
    handler.ackRun(first, last)
    if (index === more) break
    last = first - 2 - reader.varint()
    if (last < 0) throw new WireError('ack-range')
  }
  handler.ackEnd()
}

function decodeAckBitmap(reader: Reader, handler: FrameHandler): void {
  decodeAckHead(reader)
  const length = reader.varint()
  const at = reader.skip(length)
  const base = (Math.floor(ackHead.largest / 8) + 1 - length) * 8
  const beyond = (reader.source[at + length - 1] ?? 0) & ~(0xff >>> (7 - (ackHead.largest % 8)))
  if (length === 0 || base < 0 || beyond !== 0) throw new WireError('ack-range')
  handler.ackBegin(ackHead)
  let runStart = -1
  for (let index = 0; index < length; index++) {
    const bits = reader.source[at + index] ?? 0
    const first = base + index * 8
    if (bits === 0xff && runStart >= 0) continue
    for (let bit = 0; bit < 8; bit++) {
      const received = (bits & (1 << bit)) !== 0
      if (received && runStart < 0) runStart = first + bit
      if (!received && runStart >= 0) {
        handler.ackRun(runStart, first + bit - 1)
        runStart = -1
      }
    }
  }
  if (runStart >= 0) handler.ackRun(runStart, base + length * 8 - 1)
  handler.ackEnd()
}

function decodeClose(reader: Reader, handler: FrameHandler): void {
  const code = reader.varint()
  const length = reader.varint()
  if (length > MAX_REASON_BYTES) throw new WireError('length')
  const at = reader.skip(length)
  const reason = new TextDecoder().decode(reader.source.subarray(at, at + length))
  handler.close({ code, reason, by: 'peer' })
}

/** DATA runs to the end of the packet, so it is the last frame and needs no length. */
function decodeData(reader: Reader, handler: FrameHandler): void {
  const object = reader.varint()
  const offset = reader.varint()
  if (object > MAX_OBJECT_ID || offset + reader.left > MAX_OFFSET) throw new WireError('overflow')
  if (reader.left === 0) throw new WireError('length')
  span.length = reader.left
  span.at = reader.skip(span.length)
  handler.data(object, offset, span)
}

/** Bytes before the payload of a DATA frame. */
export function dataHeadLength(object: ObjectId, offset: number): number {
  return 1 + varintLength(object) + varintLength(offset)
}

export function writeDataHead(target: Uint8Array, at: number, range: { object: ObjectId; offset: number }): number {
  target[at] = FRAME.data
  return writeVarint(target, writeVarint(target, at + 1, range.object), range.offset)
}

export function writeMaxData(target: Uint8Array, at: number, total: number): number {
  target[at] = FRAME.maxData
  return writeVarint(target, at + 1, total)
}

export function writePing(target: Uint8Array, at: number): number {
  target[at] = FRAME.ping
  return at + 1
}

/** A challenge or its response: 8 bytes that are known only on the path. */
export function writeToken(target: Uint8Array, at: number, frame: { type: number; token: Uint8Array }): number {
  target[at] = frame.type
  target.set(frame.token, at + 1)
  return at + 1 + CHALLENGE_LENGTH
}

/** Fills [at, end) with a frame that requires an acknowledgement and carries nothing: a packet of a chosen size. */
export function writeFiller(target: Uint8Array, at: number, end: number): number {
  target[at] = FRAME.pmtuProbe
  target.fill(0, at + 1, end)
  return end
}

export function writeClose(target: Uint8Array, at: number, close: { code: number; reason: string }): number {
  target[at] = FRAME.close
  const reason = new TextEncoder().encode(close.reason).subarray(0, MAX_REASON_BYTES)
  const position = writeVarint(target, writeVarint(target, at + 1, close.code), reason.length)
  target.set(reason, position)
  return position + reason.length
}

/** Writes the fields that both forms of ACK begin with. */
export function writeAckHead(target: Uint8Array, at: number, frame: { type: number; head: AckHead }): number {
  target[at] = frame.type
  let position = writeVarint(target, at + 1, frame.head.largest)
  position = writeVarint(target, position, frame.head.delayUs)
  position = writeVarint(target, position, frame.head.receiverClockUs)
  position = writeVarint(target, position, frame.head.receivedBytes)
  return writeVarint(target, position, frame.head.receivedPackets)
}
