import { createSession, type PacketProtection, type Session } from '../core/index.ts'
import { decodeFrames, type FrameHandler } from '../core/frames.ts'
import { type PacketHeader, readHeader } from '../core/packets.ts'
import { Reader } from '../core/varints.ts'
import { WireError } from '../core/wire.errors.ts'
import { type Dice, newDice, randomOf } from './dice.ts'

const ID = new Uint8Array(8).fill(2)
const MAX_INPUT = 1442
const FRAME_TYPES = 12
/** A session that a hostile peer has closed is replaced; so is one that has taken this many packets. */
const PACKETS_PER_SESSION = 5000
/** Batches that one packet may set free: the window's worth at most. */
const MAX_ANSWERS = 200

/** Feeds one input to a decoder. Anything but a typed refusal is a finding: it throws. */
export type FuzzTarget = (input: Uint8Array) => void

/** Accepts any event and checks that it is possible. */
const soberHandler: FrameHandler = {
  ackBegin: (head) => require(head.largest >= 0, 'largest below zero'),
  ackRun: (first, last) => require(first >= 0 && last >= first, 'inverted run'),
  ackEnd: () => undefined,
  maxData: (total) => require(Number.isSafeInteger(total), 'unsafe credit'),
  pathChallenge: (source, at) => require(at + 8 <= source.length, 'challenge beyond the packet'),
  pathResponse: (source, at) => require(at + 8 <= source.length, 'response beyond the packet'),
  close: (close) => require(close.reason.length <= 256, 'long reason'),
  data: (_object, offset, span) =>
    require(span.length > 0 && Number.isSafeInteger(offset + span.length), 'impossible data'),
}

const header: PacketHeader = { phaseBit: 0, path: 0, low: 0 }

export const fuzzHeader: FuzzTarget = (input) => {
  if (readHeader(input, ID, header)) require(header.path >= 0 && header.path < 8, 'path out of range')
}

export const fuzzFrames: FuzzTarget = (input) => {
  try {
    decodeFrames(new Reader(input), soberHandler)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
  }
}

/** Hands each input as a body that decrypts to a live session: the worst that an authenticated peer can do. */
export function newSessionTarget(seed: number): FuzzTarget {
  let packets = 0
  let session = openSession(seed)
  const datagram = new Uint8Array(MAX_INPUT)
  return (input) => {
    packets += 1
    if (session.isClosed || packets % PACKETS_PER_SESSION === 0) session = openSession(seed + packets)
    const length = Math.min(MAX_INPUT, 13 + input.length + 16)
    datagram.set([
      0x40,
      ...ID,
      (packets >>> 24) & 0xff,
      (packets >>> 16) & 0xff,
      (packets >>> 8) & 0xff,
      packets & 0xff,
    ])
    datagram.set(input.subarray(0, length - 29), 13)
    session.onDatagram(packets * 10, datagram.subarray(0, length), 1)
    for (let sent = 0; session.poll(packets * 10) !== undefined; sent++) require(sent < MAX_ANSWERS, 'endless answers')
  }
}

function openSession(seed: number): Session {
  const open: PacketProtection = { seal: () => undefined, open: () => true }
  const session = createSession({
    role: 'server',
    localConnectionId: ID,
    remoteConnectionId: new Uint8Array(8).fill(1),
    protection: open,
    random: randomOf(newDice(seed)),
    source: { read: () => true },
    events: {
      data: () => undefined,
      acked: () => undefined,
      pathState: () => undefined,
      migrated: () => undefined,
      closed: () => undefined,
    },
  })
  session.send(0, 0, 100_000)
  return session
}

/** Random bytes of any length, half of them beginning like real frames, so that decoders are entered deeply. */
export function newInputs(dice: Dice): () => Uint8Array {
  const buffer = new Uint8Array(MAX_INPUT)
  return () => {
    const length = Math.floor(dice.next() * (dice.next() < 0.9 ? 48 : MAX_INPUT))
    const isShaped = dice.next() < 0.5
    for (let at = 0; at < length; at++) {
      const isSmall = isShaped && dice.next() < 0.7
      buffer[at] = Math.floor(dice.next() * (isSmall ? 64 : 256))
    }
    if (isShaped && length > 0) buffer[0] = Math.floor(dice.next() * FRAME_TYPES)
    return buffer.subarray(0, length)
  }
}

function require(condition: boolean, finding: string): void {
  if (!condition) throw new Error(`fuzz: ${finding}`)
}
