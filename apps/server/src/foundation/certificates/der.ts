/** Encodings of X.509 and its requests (DER, X.690). */

export function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

/** Positive, whatever its first bit. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first < 0 ? Buffer.from([0]) : bytes.subarray(first)
  const padding = (short[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : []
  return tagged(0x02, Buffer.concat([...padding, short]))
}

export function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

export function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), value])
  const hex = length.toString(16)
  const size = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, value])
}
