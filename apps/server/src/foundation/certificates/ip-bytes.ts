/** The 16 bytes of an IPv6 address that `isIP` takes for one; a zone is left out. */
export function ipv6Bytes(address: string): Buffer {
  const bytes = Buffer.alloc(16)
  const [plain = ''] = address.split('%')
  const [head = '', tail] = withoutDots(plain).split('::')
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const all = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
  all.forEach((group, at) => bytes.writeUInt16BE(group, at * 2))
  return bytes
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

/** `::ffff:192.0.2.1` as `::ffff:c000:201`. */
function withoutDots(address: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  if (dotted === null) return address
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number)
  return `${address.slice(0, dotted.index)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
