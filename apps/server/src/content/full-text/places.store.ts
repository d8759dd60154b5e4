import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { dialectOf } from '../../kernel/db/index.ts'
import type { QueueRow, TextPlaceRow } from './full-text.schema.ts'

type Connection = Db | Tx

const ROWS_PER_STATEMENT = 500
const PLACES_AT_ONCE = 100
/** Rows that are thrown away in one transaction. */
const CLEARED_AT_ONCE = 2_000

/** SQL over `full_text_places` and `full_text_queue`. */
export const textPlaces = {
  /** Some places that are not those of this program, or any when it wants none. */
  unwanted: (db: Connection, version: number): Promise<TextPlaceRow[]> =>
    db.selectFrom('full_text_places').selectAll().where('version', '!=', version).limit(PLACES_AT_ONCE).execute(),

  /** Some places of the index of names that have no texts yet. */
  async missing(db: Connection): Promise<number[]> {
    const rows = await db
      .selectFrom('search_roots')
      .leftJoin('full_text_places', 'full_text_places.root_id', 'search_roots.id')
      .select('search_roots.id')
      .where('full_text_places.root_id', 'is', null)
      .limit(PLACES_AT_ONCE)
      .execute()
    return rows.map(({ id }) => id)
  },

  /** Some places where there is something to do. */
  async withWork(db: Connection, now: number, limitBytes: number): Promise<number[]> {
    const begun = await db
      .selectFrom('full_text_places')
      .select('root_id')
      .where((of) => of.or([of('limit_bytes', '!=', limitBytes), of('filled_n', '<', of.ref('fill_to'))]))
      .limit(PLACES_AT_ONCE)
      .execute()
    const waiting = await db
      .selectFrom('full_text_queue')
      .select('root_id')
      .distinct()
      .where('retry_at', '<=', now)
      .limit(PLACES_AT_ONCE)
      .execute()
    return [...new Set([...begun, ...waiting].map((row) => row.root_id))]
  },

  among: (db: Connection, rootIds: readonly number[]): Promise<TextPlaceRow[]> =>
    rootIds.length === 0
      ? Promise.resolve([])
      : db.selectFrom('full_text_places').selectAll().where('root_id', 'in', rootIds).execute(),

  of: (db: Connection, rootId: number): Promise<TextPlaceRow | undefined> =>
    db.selectFrom('full_text_places').selectAll().where('root_id', '=', rootId).executeTakeFirst(),

  async add(tx: Tx, row: TextPlaceRow): Promise<void> {
    await tx.insertInto('full_text_places').values(row).execute()
  },

  async change(db: Connection, rootId: number, change: Partial<Omit<TextPlaceRow, 'root_id'>>): Promise<void> {
    await db.updateTable('full_text_places').set(change).where('root_id', '=', rootId).execute()
  },

  async remove(tx: Tx, rootId: number): Promise<void> {
    await tx.deleteFrom('full_text_queue').where('root_id', '=', rootId).execute()
    await tx.deleteFrom('full_text_places').where('root_id', '=', rootId).execute()
  },

  /** Takes slots; the lock of the place until the transaction ends. @returns the first one; undefined when it is switched off */
  async takeSlots(tx: Tx, rootId: number, count: number): Promise<number | undefined> {
    const { numUpdatedRows } = await tx
      .updateTable('full_text_places')
      .set({ next_slot: sql`next_slot + ${sql.lit(count)}` })
      .where('root_id', '=', rootId)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return undefined
    return Number((await textPlaces.of(tx, rootId))?.next_slot) - count
  },

  /** Entries to be looked at; one that waits already waits once more. */
  async enqueue(db: Connection, rootId: number, ns: readonly number[]): Promise<void> {
    const rows = [...new Set(ns)].map((n) => ({ root_id: rootId, n, changes: 0, attempts: 0, retry_at: 0 }))
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      const insert = db.insertInto('full_text_queue').values(rows.slice(at, at + ROWS_PER_STATEMENT))
      const anew = { attempts: 0, retry_at: 0 }
      await (
        dialectOf(db) === 'mysql'
          ? insert.onDuplicateKeyUpdate({ ...anew, changes: sql`changes + 1` })
          : insert.onConflict((conflict) =>
              conflict.columns(['root_id', 'n']).doUpdateSet({ ...anew, changes: sql`full_text_queue.changes + 1` }),
            )
      ).execute()
    }
  },

  next: (db: Connection, rootId: number, now: number, limit: number): Promise<QueueRow[]> =>
    db
      .selectFrom('full_text_queue')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('retry_at', '<=', now)
      .orderBy('n')
      .limit(limit)
      .execute(),

  async begin(db: Connection, { root_id, n }: QueueRow): Promise<void> {
    await db
      .updateTable('full_text_queue')
      .set({ attempts: sql`attempts + 1` })
      .where('root_id', '=', root_id)
      .where('n', '=', n)
      .execute()
  },

  /** Not the fault of the file. */
  async postpone(db: Connection, { root_id, n, attempts }: QueueRow, retry_at: number): Promise<void> {
    const row = db.updateTable('full_text_queue').set({ attempts, retry_at })
    await row.where('root_id', '=', root_id).where('n', '=', n).execute()
  },

  /** Unless the entry changed meanwhile. */
  async done(tx: Connection, rows: readonly QueueRow[]): Promise<void> {
    for (const { root_id, n, changes } of rows) {
      const row = tx.deleteFrom('full_text_queue').where('root_id', '=', root_id).where('n', '=', n)
      await row.where('changes', '=', changes).execute()
    }
  },

  async waiting(db: Connection, rootIds: readonly number[]): Promise<number> {
    if (rootIds.length === 0) return 0
    const row = await db
      .selectFrom('full_text_queue')
      .select((of) => of.fn.countAll().as('count'))
      .where('root_id', 'in', rootIds)
      .executeTakeFirstOrThrow()
    return Number(row.count)
  },

  /** Throws away some of what is known of a place. @returns whether there may be more */
  async clearSome(db: Db, rootId: number): Promise<boolean> {
    for (const [table, column] of KEYS) {
      const removed = await removeSome(db, { table, column, rootId })
      if (removed > 0) return true
    }
    return false
  },
}

const KEYS = [
  ['full_text_queue', 'n'],
  ['full_text_documents', 'n'],
  ['full_text_texts', 'slot'],
  ['full_text_terms', 'block'],
] as const

interface Removal {
  readonly table: (typeof KEYS)[number][0]
  readonly column: string
  readonly rootId: number
}

async function removeSome(db: Db, { table, column, rootId }: Removal): Promise<bigint> {
  const from = sql`delete from ${sql.table(table)} where root_id = ${rootId}`
  const most = sql.lit(CLEARED_AT_ONCE)
  if (dialectOf(db) === 'mysql') {
    const { numAffectedRows = 0n } = await sql`${from} limit ${most}`.execute(db)
    return numAffectedRows
  }
  // All terms of a block go together.
  const key = sql.ref(column)
  const first = sql`select ${key} from ${sql.table(table)} where root_id = ${rootId} order by ${key} limit ${most}`
  const { numAffectedRows = 0n } = await sql`${from} and ${key} in (${first})`.execute(db)
  return numAffectedRows
}
