import { UNSPACED } from './prepared-text.ts'

/** Longer words are found by this much of them, and compared in the text. */
const TERM_MAX = 24
/** Pairs of one run that a document is looked for by; all of the run is compared in the text. */
const PAIRS_MAX = 32

const LETTER = `[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]`
const PARTS = new RegExp(`(${UNSPACED}+)|${LETTER}+`, 'gv')
const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, 'v')

/** A part of a folded text: a word, or a run of characters of a script that has no spaces. */
export interface Part {
  readonly kind: 'word' | 'run'
  readonly text: string
}

function* partsOf(folded: string): Generator<Part> {
  for (const [text, run] of folded.matchAll(PARTS)) yield { kind: run === undefined ? 'word' : 'run', text }
}

/** Everything that a document is found by: its words, each pair of neighbours in a run, and the last character of a run. */
export function termsOf(folded: string): Set<string> {
  const terms = new Set<string>()
  for (const { kind, text } of partsOf(folded)) {
    if (kind === 'word') terms.add(termOf(text))
    else for (const pair of pairsOf(text)) terms.add(pair)
  }
  return terms
}

function termOf(word: string): string {
  return word.length > TERM_MAX ? [...word].slice(0, TERM_MAX).join('') : word
}

function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.map((character, at) => character + (characters[at + 1] ?? ''))
}

/** A document must have the term, or one that begins with it. */
export interface Demand {
  readonly term: string
  readonly isBeginning: boolean
}

/** The different parts of what somebody looks for. Words are beginnings of words: who types has not typed all. */
export function wantedParts(folded: string): Part[] {
  return [...new Map([...partsOf(folded)].map((part) => [part.text, part])).values()]
}

/** What documents with all of these parts have; others may have it, too. */
export function demandsOf(parts: readonly Part[]): Demand[] {
  const demands = parts.flatMap(({ kind, text }): Demand[] => {
    if (kind === 'word') return [{ term: termOf(text), isBeginning: termOf(text) === text }]
    const pairs = pairsOf(text)
    if (pairs.length === 1) return [{ term: text, isBeginning: true }]
    const step = Math.max(1, Math.ceil((pairs.length - 1) / PAIRS_MAX))
    return pairs.slice(0, -1).flatMap((term, at) => (at % step === 0 ? [{ term, isBeginning: false }] : []))
  })
  return [...new Map(demands.map((demand) => [`${demand.isBeginning}${demand.term}`, demand])).values()]
}

/** Where a part stands in a folded text: `most` of its places at most. */
export function placesOf({ kind, text }: Part, folded: string, most: number): number[] {
  const places: number[] = []
  for (let at = folded.indexOf(text); at !== -1 && places.length < most; at = folded.indexOf(text, at + text.length)) {
    if (kind === 'run' || !ENDS_IN_LETTER.test(folded.slice(Math.max(0, at - 2), at))) places.push(at)
  }
  return places
}
