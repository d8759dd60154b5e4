import { WireError } from './wire.errors.ts'

/** Largest value on the wire: what a double holds exactly, less than QUIC's 2^62 - 1. */
export const MAX_VARINT = Number.MAX_SAFE_INTEGER

/** Bytes that `value` takes: 1, 2, 4 or 8, as in RFC 9000 section 16. */
export function varintLength(value: number): number {
  if (value < 0x40) return 1
  if (value < 0x4000) return 2
  return value < 0x4000_0000 ? 4 : 8
}

/** Writes `value` at `at` and answers the position behind it. The caller guarantees room. */
export function writeVarint(target: Uint8Array, at: number, value: number): number {
  if (value < 0x40) {
    target[at] = value
    return at + 1
  }
  if (value < 0x4000) {
    target[at] = 0x40 | (value >>> 8)
    target[at + 1] = value & 0xff
    return at + 2
  }
  if (value < 0x4000_0000) return writeWord(target, at, value | 0x8000_0000)
  const high = Math.floor(value / 0x1_0000_0000)
  return writeWord(target, writeWord(target, at, (high | 0xc000_0000) >>> 0), value >>> 0)
}

/** Writes 4 bytes, most significant first. */
export function writeWord(target: Uint8Array, at: number, word: number): number {
  target[at] = word >>> 24
  target[at + 1] = (word >>> 16) & 0xff
  target[at + 2] = (word >>> 8) & 0xff
  target[at + 3] = word & 0xff
  return at + 4
}

/** Reads 4 bytes as an unsigned number. The caller has checked the bounds. */
export function readWord(source: Uint8Array, at: number): number {
  return (
    (((source[at] ?? 0) << 24) |
      ((source[at + 1] ?? 0) << 16) |
      ((source[at + 2] ?? 0) << 8) |
      (source[at + 3] ?? 0)) >>>
    0
  )
}

/** A place in a buffer from which numbers are read in turn; nothing is read at or after `end`. */
export class Reader {
  source: Uint8Array
  at: number
  end: number

  constructor(source: Uint8Array, at = 0, end = source.length) {
    this.source = source
    this.at = at
    this.end = end
  }

  reset(source: Uint8Array, at: number, end: number): void {
    this.source = source
    this.at = at
    this.end = end
  }

  get left(): number {
    return this.end - this.at
  }

  /** @throws WireError truncated */
  byte(): number {
    if (this.at >= this.end) throw new WireError('truncated')
    return this.source[this.at++] ?? 0
  }

  /** @throws WireError truncated; varint above 2^53 - 1 */
  varint(): number {
    const first = this.byte()
    const rest = (1 << (first >>> 6)) - 1
    if (this.at + rest > this.end) throw new WireError('truncated')
    let value = first & 0x3f
    for (let index = 0; index < rest; index++) value = value * 256 + (this.source[this.at++] ?? 0)
    if (value > MAX_VARINT) throw new WireError('varint')
    return value
  }

  /** Moves past `length` bytes and answers where they begin. @throws WireError truncated */
  skip(length: number): number {
    if (length > this.end - this.at) throw new WireError('truncated')
    const from = this.at
    this.at += length
    return from
  }
}
