/** Encodings that a person may choose; labels of the WHATWG Encoding Standard. */
export const ENCODINGS = [
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'windows-1252',
  'utf-16le',
  'utf-16be',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The encoding of a text: by its mark, else UTF-8 when it decodes as such, else the one whose typical byte pairs it has.
 * @param head the first bytes of the file; a character may be cut off at their end
 */
export function detectEncoding(head: Uint8Array): Encoding {
  return markedEncoding(head) ?? wideEncoding(head) ?? (decodes(head, 'utf-8') ? 'utf-8' : legacyEncoding(head))
}

function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** UTF-16 without a mark: text has no zero bytes otherwise. */
function wideEncoding(head: Uint8Array): Encoding | undefined {
  let even = 0
  let odd = 0
  for (const [at, byte] of head.subarray(0, 512).entries()) {
    if (byte !== 0) continue
    if (at % 2 === 0) even++
    else odd++
  }
  if (even + odd < 8) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

function decodes(head: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Which share of the bytes beyond ASCII stand in pairs that are common in each encoding: kana of Shift_JIS, frequent hangul of
 * EUC-KR, the first level of GB 2312 and of Big5. Encodings that share pairs are told apart by the first one's own.
 */
function legacyEncoding(head: Uint8Array): Encoding {
  const pairs = countPairs(head)
  const candidates = [
    { encoding: 'shift_jis', share: pairs.kana },
    { encoding: 'euc-kr', share: pairs.hangul },
    { encoding: 'gb18030', share: pairs.hanzi },
    { encoding: 'big5', share: pairs.traditional },
  ] as const
  const fitting = candidates.filter(({ encoding, share }) => share > 0.4 && decodes(head, encoding))
  const best = fitting.toSorted((a, b) => b.share - a.share)[0]
  return best?.encoding ?? 'windows-1252'
}

interface PairShares {
  readonly kana: number
  readonly hangul: number
  readonly hanzi: number
  readonly traditional: number
}

function countPairs(head: Uint8Array): PairShares {
  const counts = { kana: 0, hangul: 0, hanzi: 0, traditional: 0 }
  let total = 0
  for (let at = 0; at + 1 < head.length; at++) {
    const lead = head[at] ?? 0
    if (lead < 0x80) continue
    const trail = head[at + 1] ?? 0
    total++
    at++
    if ((lead === 0x82 && trail >= 0x9f && trail <= 0xf1) || (lead === 0x83 && trail >= 0x40 && trail <= 0x96))
      counts.kana += 2
    // Hangul fill B0A1-C8FE: rows of GB 2312 as well, whose second level (D8-F7) a Korean text never has.
    if (lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) counts.hangul++
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1) counts.hanzi++
    // Half of Big5's trail bytes lie where GB 2312 has none.
    if (lead >= 0xa1 && lead <= 0xc6 && trail >= 0x40 && trail !== 0x7f) counts.traditional++
  }
  const share = (count: number): number => (total === 0 ? 0 : count / total)
  const hanzi = share(counts.hanzi)
  const hangul = share(counts.hangul)
  return {
    kana: share(counts.kana),
    hangul: hangul > 0.97 ? hangul : 0,
    hanzi: hanzi > 0.9 ? hanzi : hanzi / 2,
    traditional: share(counts.traditional) - (hanzi > 0.9 ? 0.1 : 0),
  }
}
