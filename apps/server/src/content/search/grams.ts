/** Names of one block are looked through together. Larger: fewer rows of grams, more names read for a rare text. */
const BLOCK_SIZE = 512
const GRAM_SIZE = 3
/** Grams that a query is narrowed by, from all over the text: any of them may be the rare one. */
const QUERY_GRAMS_MAX = 32

export function blockOf(n: number): number {
  return Math.floor(n / BLOCK_SIZE)
}

/** The lowest number in a block. */
export function firstOf(block: number): number {
  return block * BLOCK_SIZE
}

/** What a name is found by: from each of its characters on the next three, or as many as there are. */
export function gramsOf(nameKey: string): string[] {
  const characters = [...nameKey]
  return characters.map((_character, at) => characters.slice(at, at + GRAM_SIZE).join(''))
}

/** How blocks are narrowed that may have a name with a text in it. */
export type GramQuery =
  | { readonly kind: 'all-blocks' }
  /** A block must have every one of them. */
  | { readonly kind: 'every'; readonly grams: readonly string[] }
  /** A block must have one that begins so: `from` itself or anything below `to`. */
  | { readonly kind: 'prefix'; readonly from: string; readonly to: string | undefined }

/** @param textKey folded */
export function gramQuery(textKey: string): GramQuery {
  const characters = [...textKey]
  if (characters.length === 0) return { kind: 'all-blocks' }
  if (characters.length < GRAM_SIZE) return { kind: 'prefix', from: textKey, to: successor(characters) }
  const whole = [...new Set(gramsOf(textKey).filter((gram) => [...gram].length === GRAM_SIZE))]
  const step = Math.max(1, whole.length / QUERY_GRAMS_MAX)
  return { kind: 'every', grams: whole.filter((_gram, at) => Math.floor(at % step) === 0) }
}

const LAST = 0x10ffff
const BEFORE_SURROGATES = 0xd7ff
const AFTER_SURROGATES = 0xe000

/** The first text, by code points, behind everything that begins with these characters. */
export function successor(characters: readonly string[]): string | undefined {
  for (let at = characters.length - 1; at >= 0; at--) {
    const code = characters[at]?.codePointAt(0) ?? 0
    if (code === LAST) continue
    const next = code === BEFORE_SURROGATES ? AFTER_SURROGATES : code + 1
    return characters.slice(0, at).join('') + String.fromCodePoint(next)
  }
  return undefined
}
