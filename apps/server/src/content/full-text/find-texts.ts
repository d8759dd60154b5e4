import type { Db } from '../../kernel/db/index.ts'
import {
  demandsOf,
  foldText,
  placesOf,
  prepareText,
  wantedParts,
  type Part,
} from '../../foundation/document-texts/index.ts'
import type { ContentMatch, ContentStep } from '../search/index.ts'
import { documents, type StoredText } from './documents.store.ts'
import { snippetOf } from './snippet.ts'
import { blockOfSlot, SLOTS_PER_BLOCK, terms, type SlotsByBlock } from './terms.store.ts'

/** Blocks that one statement looks through: 4,096 documents. */
const BLOCKS_AHEAD = 128
/** Texts that are compared in one step. */
const TEXTS_AT_ONCE = 16

/**
 * Documents of a place that have everything in a text, the latest first.
 * @param before only slots below it
 */
export async function* findTexts(
  db: Db,
  { rootId, text, before }: { readonly rootId: number; readonly text: string; readonly before: number },
): AsyncGenerator<ContentStep> {
  const parts = wantedParts(foldText(prepareText(text)))
  const demands = demandsOf(parts)
  if (demands.length === 0) return
  for (let end = before; end > 0;) {
    const last = blockOfSlot(end - 1)
    const blocks = Array.from({ length: Math.min(BLOCKS_AHEAD, last + 1) }, (_, at) => last - at)
    const lowest = last - blocks.length + 1
    const slots = slotsOf(await terms.slotsWith(db, { rootId, blocks }, demands)).filter((slot) => slot < end)
    for (let at = 0; at < slots.length; at += TEXTS_AT_ONCE) {
      const some = slots.slice(at, at + TEXTS_AT_ONCE)
      const matches = (await documents.texts(db, rootId, some))
        .toSorted((a, b) => b.slot - a.slot)
        .flatMap((stored) => matchOf(stored, parts))
      yield { matches, before: some.at(-1) ?? 0 }
    }
    end = lowest * SLOTS_PER_BLOCK
    yield { matches: [], before: end }
  }
}

/** The latest first. */
function slotsOf(found: SlotsByBlock): number[] {
  const slots: number[] = []
  for (const block of [...found.keys()].toSorted((a, b) => b - a)) {
    const bits = found.get(block) ?? 0
    for (let bit = SLOTS_PER_BLOCK - 1; bit >= 0; bit--) {
      if (((bits >>> bit) & 1) === 1) slots.push(block * SLOTS_PER_BLOCK + bit)
    }
  }
  return slots
}

/** The index names documents that may have it; the text decides. */
function matchOf({ n, slot, size, modifiedMs, text }: StoredText, parts: readonly Part[]): ContentMatch[] {
  const folded = foldText(text)
  if (!parts.every((part) => placesOf(part, folded, 1).length > 0)) return []
  return [{ n, size, modifiedMs, at: slot, snippet: () => snippetOf(text, folded, parts) }]
}
