import type { SearchSnippet } from '@godwit/contract'
import { placesOf, type Part } from '../../foundation/document-texts/index.ts'

/** Characters of a snippet: two lines of a dialog. */
const LENGTH = 160
/** Characters before the first word that is marked. */
const BEFORE = 30
/** Places of each part that are looked at for the best piece of a text. */
const PLACES_MAX = 200

interface Place {
  readonly part: number
  readonly start: number
  readonly end: number
}

/**
 * The piece of a text with most of the parts in it, and where they stand there.
 * @param folded has each character where `text` has it
 */
export function snippetOf(text: string, folded: string, parts: readonly Part[]): SearchSnippet {
  const places = parts
    .flatMap((part, at) =>
      placesOf(part, folded, PLACES_MAX).map((start): Place => ({ part: at, start, end: start + part.text.length })),
    )
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const start = beginning(text, bestStart(places))
  const end = ending(text, start)
  const before = start > 0 ? '…' : ''
  const shift = before.length - start
  const marks = merged(places.filter((place) => place.start >= start && place.end <= end))
  return {
    text: before + text.slice(start, end) + (end < text.length ? '…' : ''),
    marks: marks.map(({ start: from, end: to }) => ({ start: from + shift, end: to + shift })),
  }
}

/** Of all places, the first one that most different parts stand close behind. */
function bestStart(places: readonly Place[]): number {
  let best = { start: 0, parts: 0 }
  for (const [first, { start }] of places.entries()) {
    const near = new Set<number>()
    for (let at = first; at < places.length; at++) {
      const place = places[at]
      if (place === undefined || place.end > start + LENGTH - BEFORE) break
      near.add(place.part)
    }
    if (near.size > best.parts || first === 0) best = { start, parts: near.size }
  }
  return best.start
}

/** A little before, at the beginning of a word where one is near. */
function beginning(text: string, found: number): number {
  const earliest = Math.max(0, found - BEFORE)
  if (earliest === 0) return 0
  const space = text.indexOf(' ', earliest)
  if (space !== -1 && space < found) return space + 1
  return isLow(text, earliest) ? earliest + 1 : earliest
}

function ending(text: string, start: number): number {
  const latest = Math.min(text.length, start + LENGTH)
  if (latest === text.length) return latest
  const space = text.lastIndexOf(' ', latest)
  if (space > latest - BEFORE && space > start) return space
  return isLow(text, latest) ? latest - 1 : latest
}

/** Within a character of two units. */
function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function merged(places: readonly Place[]): SearchSnippet['marks'] {
  const marks: SearchSnippet['marks'] = []
  for (const { start, end } of places) {
    const last = marks.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else marks.push({ start, end })
  }
  return marks
}
