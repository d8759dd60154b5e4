/** How a segment of MPEG-TS begins. */
export interface SegmentStart {
  /** When its first frame is shown, in seconds. */
  readonly shown: number
  /** The first frame is decoded without any other: an IDR picture of H.264, with its parameters in front. */
  readonly standsAlone: boolean
}

const PACKET_BYTES = 188
const SYNC = 0x47
/** The stream that ffmpeg writes first. */
const PICTURE_PID = 0x100
/** Parameters and the first slice are at the beginning of a frame. */
const LOOKED_BYTES = 64 * 1024
const CLOCK = 90_000
const SPS = 7
const IDR = 5

/** @returns undefined for what does not begin with a frame */
export function segmentStart(segment: Uint8Array): SegmentStart | undefined {
  const parts: Uint8Array[] = []
  let size = 0
  for (let at = 0; at + PACKET_BYTES <= segment.length && size < LOOKED_BYTES; at += PACKET_BYTES) {
    const packet = segment.subarray(at, at + PACKET_BYTES)
    const [sync = 0, high = 0, low = 0, control = 0, adapted = 0] = packet
    if (sync !== SYNC) return undefined
    if ((((high & 0x1f) << 8) | low) !== PICTURE_PID || (control & 0x10) === 0) continue
    const isFirst = (high & 0x40) !== 0
    if (isFirst && parts.length > 0) break
    if (!isFirst && parts.length === 0) return undefined
    const payload = packet.subarray(4 + ((control & 0x20) === 0 ? 0 : 1 + adapted))
    parts.push(payload)
    size += payload.length
  }
  return startOf(Buffer.concat(parts))
}

/** @param pes a packetized frame: ISO/IEC 13818-1, 2.4.3.6 */
function startOf(pes: Buffer): SegmentStart | undefined {
  const PES_BYTES = 14
  if (pes.length < PES_BYTES || pes.readUIntBE(0, 3) !== 1 || ((pes[7] ?? 0) & 0x80) === 0) return undefined
  // 33 bits in five bytes: 3, 15 and 15, with a marker bit after each.
  const top = ((pes[9] ?? 0) >> 1) & 7
  const ticks = top * 2 ** 30 + (pes.readUInt16BE(10) >> 1) * 2 ** 15 + (pes.readUInt16BE(12) >> 1)
  const units = unitsOf(pes.subarray(9 + (pes[8] ?? 0)))
  return { shown: ticks / CLOCK, standsAlone: units.has(SPS) && units.has(IDR) }
}

/** @returns the types of the units of H.264 that begin in the bytes */
function unitsOf(bytes: Buffer): ReadonlySet<number> {
  const START = Buffer.from([0, 0, 1])
  const types = new Set<number>()
  for (let at = bytes.indexOf(START); at !== -1; at = bytes.indexOf(START, at + 3))
    types.add((bytes[at + 3] ?? 0) & 0x1f)
  return types
}
