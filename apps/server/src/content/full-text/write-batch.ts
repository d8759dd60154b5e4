import type { DocumentText } from '../../foundation/document-texts/index.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { documents, packText } from './documents.store.ts'
import type { QueueRow } from './full-text.schema.ts'
import { textPlaces } from './places.store.ts'
import { blockOfSlot, SLOTS_PER_BLOCK, terms } from './terms.store.ts'

interface SeenFile {
  readonly n: number
  readonly size: number
  readonly modifiedMs: number
}

interface ReadFile extends SeenFile {
  readonly etag: string
  /** '' for one with a text. */
  readonly reason: string
  readonly found?: DocumentText
}

/** What was found out about some files of one place. */
export interface Batch {
  /** What is not to be looked at again, unless it changes. */
  readonly done: QueueRow[]
  /** Entries that are there no more, or have no words. */
  readonly gone: number[]
  readonly read: ReadFile[]
  /** Content that is still the same. */
  readonly renewed: SeenFile[]
}

/** A block with as few documents moves them to others, so that what replaced documents leave behind does not pile up. */
const FEW = SLOTS_PER_BLOCK / 4

/** Nothing of it can be found before all of it. */
export async function writeBatch(db: Db, rootId: number, batch: Batch): Promise<void> {
  const withText = batch.read.flatMap(({ n, found }) => (found === undefined ? [] : [{ n, found }]))
  const first = await takeSlots(db, rootId, withText.length)
  if (first === undefined) return
  const slots = new Map(withText.map(({ n }, at) => [n, first + at]))
  await terms.add(db, rootId, new Map(withText.map(({ n, found }) => [slots.get(n) ?? 0, found.terms])))
  const packed = new Map(
    await Promise.all(withText.map(async ({ n, found }) => [n, await packText(found.text)] as const)),
  )
  const freed = await inTransaction(db, async (tx) => {
    if ((await textPlaces.takeSlots(tx, rootId, 0)) === undefined) return []
    const left = await documents.remove(tx, rootId, [...batch.gone, ...batch.read.map(({ n }) => n)])
    for (const { n, size, modifiedMs, etag, reason } of batch.read) {
      const slot = slots.get(n) ?? null
      await documents.add(tx, { root_id: rootId, n, slot, reason, size, modified_ms: modifiedMs, etag })
      if (slot !== null) await documents.addText(tx, { root_id: rootId, slot, packed: packed.get(n) ?? '' })
    }
    for (const { n, size, modifiedMs } of batch.renewed) {
      await documents.change(tx, { root_id: rootId, n }, { size, modified_ms: modifiedMs })
    }
    await textPlaces.done(tx, batch.done)
    return left
  })
  for (const block of new Set(freed.map(blockOfSlot))) await tidyBlock(db, rootId, block)
}

/** @returns undefined when the place was switched off meanwhile */
async function takeSlots(db: Db, rootId: number, count: number): Promise<number | undefined> {
  return count === 0 ? 0 : inTransaction(db, (tx) => textPlaces.takeSlots(tx, rootId, count))
}

async function tidyBlock(db: Db, rootId: number, block: number): Promise<void> {
  const place = await textPlaces.of(db, rootId)
  if (place === undefined || block >= blockOfSlot(Number(place.next_slot))) return
  const start = block * SLOTS_PER_BLOCK
  const living = await documents.inSlots(db, rootId, start, start + SLOTS_PER_BLOCK - 1)
  if (living.length > FEW) return
  if (living.length > 0) {
    const first = await takeSlots(db, rootId, living.length)
    if (first === undefined) return
    const moves = living.map((row, at) => ({ n: Number(row.n), from: Number(row.slot), to: first + at }))
    const rows = await terms.ofBlock(db, rootId, block)
    const has = (slots: number, slot: number): boolean => ((slots >>> (slot % SLOTS_PER_BLOCK)) & 1) === 1
    const termsAt = (slot: number) => rows.filter(({ slots }) => has(Number(slots), slot)).map(({ term }) => term)
    await terms.add(db, rootId, new Map(moves.map(({ from, to }) => [to, termsAt(from)])))
    await inTransaction(db, async (tx) => {
      if ((await textPlaces.takeSlots(tx, rootId, 0)) === undefined) return
      for (const { n, from, to } of moves) {
        await documents.moveText(tx, rootId, from, to)
        await documents.change(tx, { root_id: rootId, n }, { slot: to })
      }
    })
  }
  await terms.removeBlock(db, rootId, block)
}
