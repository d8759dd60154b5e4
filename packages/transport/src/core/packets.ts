import type { PathId } from './session.types.ts'
import { readWord, writeWord } from './varints.ts'

/** flags 1, connection id 8, packet number 4. */
export const HEADER_LENGTH = 13
export const TAG_LENGTH = 16
export const CONNECTION_ID_LENGTH = 8
/** Bytes of a packet that are not frames. */
export const PACKET_OVERHEAD = HEADER_LENGTH + TAG_LENGTH
export const MAX_PATHS = 8
/** The administrator's range (`packageSize`), in bytes of UDP payload. */
export const MIN_PACKET = 600
export const MAX_PACKET = 1442
/** A key serves 2^22 packets: half of the AES-GCM confidentiality limit of RFC 9001 section 6.6. */
export const PACKETS_PER_PHASE = 2 ** 22
/** A session closes before its packet numbers leave what a double counts exactly. */
export const MAX_PACKET_NUMBER = 2 ** 52

const VERSION_BITS = 0b0100_0000
const VERSION_MASK = 0b1100_0000
const PHASE_BIT = 0b0010_0000
const PATH_SHIFT = 2
const PATH_MASK = 0b0001_1100
const TYPE_MASK = 0b0000_0011
const WORD = 2 ** 32

/** The clear part of a packet. `low` are the low 32 bits of the packet number. Reused by `readHeader`. */
export interface PacketHeader {
  phaseBit: 0 | 1
  path: PathId
  low: number
}

export function phaseOf(packetNumber: number): number {
  return Math.floor(packetNumber / PACKETS_PER_PHASE)
}

/** Writes the 13 header bytes. Version 1, type 0 (frames under one AEAD). */
export function writeHeader(
  target: Uint8Array,
  at: number,
  packet: { path: PathId; id: Uint8Array; number: number },
): void {
  const phase = phaseOf(packet.number) % 2 === 1 ? PHASE_BIT : 0
  target[at] = VERSION_BITS | phase | (packet.path << PATH_SHIFT)
  target.set(packet.id, at + 1)
  writeWord(target, at + 1 + CONNECTION_ID_LENGTH, packet.number >>> 0)
}

/**
 * Reads the header into `into`. False when the datagram cannot be a packet of this connection:
 * too short or too long, another version or type, another connection id.
 */
export function readHeader(datagram: Uint8Array, id: Uint8Array, into: PacketHeader): boolean {
  if (datagram.length <= PACKET_OVERHEAD || datagram.length > MAX_PACKET) return false
  const flags = datagram[0] ?? 0
  if ((flags & VERSION_MASK) !== VERSION_BITS || (flags & TYPE_MASK) !== 0) return false
  for (let index = 0; index < CONNECTION_ID_LENGTH; index++) if (datagram[1 + index] !== id[index]) return false
  into.phaseBit = (flags & PHASE_BIT) === 0 ? 0 : 1
  into.path = (flags & PATH_MASK) >>> PATH_SHIFT
  into.low = readWord(datagram, 1 + CONNECTION_ID_LENGTH)
  return true
}

/** The connection id a datagram names, as 16 hexadecimal digits for routing; undefined when it is too short to name one. */
export function connectionIdOf(datagram: Uint8Array): string | undefined {
  if (datagram.length <= PACKET_OVERHEAD) return undefined
  let text = ''
  for (let index = 1; index <= CONNECTION_ID_LENGTH; index++)
    text += (datagram[index] ?? 0).toString(16).padStart(2, '0')
  return text
}

/** The full packet number whose low 32 bits are `low` and that is nearest to `expected` (RFC 9000 appendix A.3). */
export function expandPacketNumber(low: number, expected: number): number {
  const candidate = Math.floor(expected / WORD) * WORD + low
  if (candidate + WORD / 2 <= expected) return candidate + WORD
  if (candidate > expected + WORD / 2 && candidate >= WORD) return candidate - WORD
  return candidate
}
