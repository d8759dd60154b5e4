/** Bytes that hardly stand in text of any encoding: controls other than tab, line ends, form feed and escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b
}

/** Of bytes that look like controls, how many in a thousand a text may have: a stray one is no reason to hide a log. */
const CONTROLS_PER_THOUSAND = 2

/**
 * Whether content is text, in whatever encoding.
 * @param head the first bytes; a UTF-16 file is known by its mark or by every other byte being zero
 */
export function isText(head: Uint8Array): boolean {
  if (isUtf16(head)) return true
  let controls = 0
  for (const byte of head) {
    if (byte === 0) return false
    if (isControl(byte)) controls++
  }
  return controls * 1000 <= head.length * CONTROLS_PER_THOUSAND
}

function isUtf16(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  if (head.length < 16) return false
  const zeros = [0, 0]
  for (const [at, byte] of head.subarray(0, 512).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const half = Math.min(head.length, 512) / 2
  // Latin text: one half of the bytes is nearly all zero, the other not at all.
  return (even === 0 && odd > half * 0.8) || (odd === 0 && even > half * 0.8)
}

/** A text by its mark, by zeros that only UTF-16 has, as UTF-8 where it is that, else as GB 18030, which reads any ASCII text. */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (isUtf16(bytes)) return new TextDecoder(bytes[0] === 0 ? 'utf-16be' : 'utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** Whether the first element of the text is an SVG picture. Comments and a document type may stand before it. */
export function isSvg(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, 4096))
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE\s+svg[^>[]*>\s*)?<svg[\s>]/i.test(text)
}
