import { sql } from 'kysely'
import type { Demand } from '../../foundation/document-texts/index.ts'
import { dialectOf, inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { successor } from '../search/index.ts'

type Connection = Db | Tx

/** Slots of a block: one bit each of a number that JavaScript's bit operations take. */
export const SLOTS_PER_BLOCK = 32

export function blockOfSlot(slot: number): number {
  return Math.floor(slot / SLOTS_PER_BLOCK)
}

/** Which slots of which blocks. Bits are unsigned. */
export type SlotsByBlock = Map<number, number>

const ROWS_PER_STATEMENT = 500
/** Others wait for a tenth of a second at most; more would be quicker. */
const ROWS_PER_TRANSACTION = 5_000

interface TermRow {
  readonly root_id: number
  readonly block: number
  readonly term: string
  slots: number
}

async function addRows(tx: Tx, rows: readonly TermRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const insert = tx.insertInto('full_text_terms').values(rows.slice(at, at + ROWS_PER_STATEMENT))
    await (
      dialectOf(tx) === 'mysql'
        ? insert.onDuplicateKeyUpdate({ slots: sql`slots | values(slots)` })
        : insert.onConflict((conflict) =>
            conflict
              .columns(['root_id', 'block', 'term'])
              .doUpdateSet({ slots: sql`full_text_terms.slots | excluded.slots` }),
          )
    ).execute()
  }
}

/** SQL over `full_text_terms`. */
export const terms = {
  /** In short transactions: names of documents that are not there yet harm nobody. */
  async add(db: Db, rootId: number, bySlot: ReadonlyMap<number, Iterable<string>>): Promise<void> {
    const rows = new Map<string, TermRow>()
    for (const [slot, found] of bySlot) {
      const block = blockOfSlot(slot)
      const bit = (1 << (slot % SLOTS_PER_BLOCK)) >>> 0
      for (const term of found) {
        const key = `${block} ${term}`
        const row = rows.get(key)
        if (row === undefined) rows.set(key, { root_id: rootId, block, term, slots: bit })
        else row.slots = (row.slots | bit) >>> 0
      }
    }
    // In the order of the key, so that neighbours land on the same page of the disk.
    const sorted = [...rows.values()].toSorted((a, b) => a.block - b.block || (a.term < b.term ? -1 : 1))
    for (let at = 0; at < sorted.length; at += ROWS_PER_TRANSACTION) {
      await inTransaction(db, (tx) => addRows(tx, sorted.slice(at, at + ROWS_PER_TRANSACTION)))
    }
  },

  /** Slots of these blocks that have everything that is demanded. */
  async slotsWith(
    db: Connection,
    { rootId, blocks }: { readonly rootId: number; readonly blocks: readonly number[] },
    demands: readonly Demand[],
  ): Promise<SlotsByBlock> {
    let left: SlotsByBlock | undefined
    const exact = demands.filter(({ isBeginning }) => !isBeginning).map(({ term }) => term)
    if (exact.length > 0) left = await slotsWithAll(db, { rootId, blocks }, exact)
    for (const { term, isBeginning } of demands) {
      if (!isBeginning) continue
      const among: readonly number[] = left === undefined ? blocks : [...left.keys()]
      if (among.length === 0) break
      const found = await slotsWithBeginning(db, { rootId, blocks: among }, term)
      left = left === undefined ? found : bothOf(left, found)
    }
    return left ?? new Map()
  },

  ofBlock: (db: Connection, rootId: number, block: number) =>
    db
      .selectFrom('full_text_terms')
      .select(['term', 'slots'])
      .where('root_id', '=', rootId)
      .where('block', '=', block)
      .execute(),

  async removeBlock(db: Connection, rootId: number, block: number): Promise<void> {
    await db.deleteFrom('full_text_terms').where('root_id', '=', rootId).where('block', '=', block).execute()
  },
}

interface Range {
  readonly rootId: number
  readonly blocks: readonly number[]
}

async function slotsWithAll(
  db: Connection,
  { rootId, blocks }: Range,
  wanted: readonly string[],
): Promise<SlotsByBlock> {
  const rows = await db
    .selectFrom('full_text_terms')
    .select(['block', 'slots'])
    .where('root_id', '=', rootId)
    .where('block', 'in', blocks)
    .where('term', 'in', wanted)
    .execute()
  const found = new Map<number, { slots: number; terms: number }>()
  for (const { block, slots } of rows) {
    const before = found.get(block)
    if (before === undefined) found.set(block, { slots: Number(slots), terms: 1 })
    else {
      before.slots = (before.slots & Number(slots)) >>> 0
      before.terms++
    }
  }
  const whole = [...found].filter(([, { slots, terms: count }]) => slots !== 0 && count === wanted.length)
  return new Map(whole.map(([block, { slots }]) => [block, slots]))
}

async function slotsWithBeginning(db: Connection, { rootId, blocks }: Range, beginning: string): Promise<SlotsByBlock> {
  const end = successor([...beginning])
  const rows = await db
    .selectFrom('full_text_terms')
    .select(['block', 'slots'])
    .where('root_id', '=', rootId)
    .where('block', 'in', blocks)
    .where('term', '>=', beginning)
    .$if(end !== undefined, (narrowed) => narrowed.where('term', '<', end ?? ''))
    .execute()
  const found: SlotsByBlock = new Map()
  for (const { block, slots } of rows) found.set(block, ((found.get(block) ?? 0) | Number(slots)) >>> 0)
  return found
}

function bothOf(a: SlotsByBlock, b: SlotsByBlock): SlotsByBlock {
  const both: SlotsByBlock = new Map()
  for (const [block, slots] of a) {
    const common = (slots & (b.get(block) ?? 0)) >>> 0
    if (common !== 0) both.set(block, common)
  }
  return both
}
