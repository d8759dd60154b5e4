/** One `-----BEGIN X-----` block; `text` includes its two lines. */
export interface PemBlock {
  readonly label: string
  readonly text: string
}

const BEGIN = '-----BEGIN '
const MARK = '-----'

/** The blocks of a text, in order. What stands between them, such as the `Bag Attributes` of OpenSSL, is passed over. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at)) {
    const labelEnd = text.indexOf(MARK, at + BEGIN.length)
    const label = labelEnd < 0 ? '' : text.slice(at + BEGIN.length, labelEnd)
    const end = `-----END ${label}-----`
    const endAt = /^[A-Z0-9 ]{1,40}$/.test(label) ? text.indexOf(end, labelEnd) : -1
    if (endAt < 0) {
      at += BEGIN.length
      continue
    }
    blocks.push({ label, text: `${text.slice(at, endAt + end.length)}\n` })
    at = endAt + end.length
  }
  return blocks
}
