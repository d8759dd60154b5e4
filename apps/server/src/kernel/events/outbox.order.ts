import { sql } from 'kysely'
import { databaseNow, dialectOf, inTransaction, type Db, type Tx } from '../db/index.ts'

export interface EventRow {
  readonly position: number
  readonly type: string
  readonly payload: string
  readonly created_at: number
}

/** Rows that are given their place at once. */
const SEQUENCE_BATCH = 500
const PRUNE_BATCH = 5_000
/** A subscriber that no node has had for so long is gone for good, and holds up the pruning no more. */
const RETIRED_AFTER_MS = 30 * 24 * 3_600_000

/** Events in the order of their delivery. */
export function createEventOrder(db: Db) {
  return {
    /** The place of the last event. */
    head: () => headOf(db),

    /**
     * Gives committed events their place in the order of delivery, which follows insertion as far as it can: an event that
     * is committed later than one inserted after it comes behind. The lock on the one row lets no reader see a place before
     * all lower ones.
     * @returns the types of what was placed
     */
    async sequence(): Promise<ReadonlySet<string>> {
      const types = new Set<string>()
      while ((await unplaced(db, 1)).length > 0) for (const type of await placeNext(db)) types.add(type)
      return types
    },

    /** Whether there is an event that the subscriber has not handled yet. */
    async hasNext(name: string, types: readonly string[]): Promise<boolean> {
      const next = db
        .selectFrom('outbox')
        .innerJoin('outbox_subscribers', (join) => join.onRef('outbox.position', '>', 'outbox_subscribers.position'))
        .select('outbox.position')
        .where('outbox_subscribers.name', '=', name)
      return (await next.where('outbox.type', 'in', types).limit(1).executeTakeFirst()) !== undefined
    },

    batch(after: number, types: readonly string[], limit: number): Promise<EventRow[]> {
      return db
        .selectFrom('outbox')
        .select(['position', 'type', 'payload', 'created_at'])
        .where('position', '>', after)
        .where('type', 'in', types)
        .orderBy('position')
        .limit(limit)
        .$narrowType<{ position: number }>()
        .execute()
    },

    /** Forgets what every subscriber has passed. @returns up to where that is */
    async prune(): Promise<number> {
      const retired = sql<number>`${databaseNow(dialectOf(db))} - ${RETIRED_AFTER_MS}`
      await db.deleteFrom('outbox_subscribers').where('seen_at', '<', retired).execute()
      const last = await db
        .selectFrom('outbox_subscribers')
        .select((row) => row.fn.min('position').as('position'))
        .executeTakeFirst()
      const passed = Number(last?.position ?? (await headOf(db)))
      for (;;) {
        const rows = await db
          .selectFrom('outbox')
          .select('position')
          .where('position', '<=', passed)
          .orderBy('position')
          .limit(PRUNE_BATCH)
          .execute()
        const end = rows.at(-1)?.position
        if (end === undefined || end === null) return passed
        await db.deleteFrom('outbox').where('position', '<=', end).execute()
        if (rows.length < PRUNE_BATCH) return passed
      }
    },
  }
}

export async function headOf(db: Db): Promise<number> {
  return (await db.selectFrom('outbox_sequence').select('position').executeTakeFirst())?.position ?? 0
}

function unplaced(tx: Db | Tx, limit: number) {
  return tx
    .selectFrom('outbox')
    .select(['seq', 'type'])
    .where('position', 'is', null)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** @returns the types of what was placed */
async function placeNext(db: Db): Promise<readonly string[]> {
  const placed = await inTransaction(db, async (tx) => {
    await tx
      .updateTable('outbox_sequence')
      .set((row) => ({ position: row('position', '+', 0) }))
      .execute()
    const rows = await unplaced(tx, SEQUENCE_BATCH)
    if (rows.length === 0) return rows
    const { position } = await tx.selectFrom('outbox_sequence').select('position').executeTakeFirstOrThrow()
    const places = rows.map(({ seq }, at) => sql`when ${sql.lit(seq)} then ${sql.lit(position + at + 1)}`)
    await tx
      .updateTable('outbox')
      .set({ position: sql<number>`case seq ${sql.join(places, sql` `)} end` })
      .where(
        'seq',
        'in',
        rows.map(({ seq }) => seq),
      )
      .execute()
    await tx
      .updateTable('outbox_sequence')
      .set({ position: position + rows.length })
      .execute()
    return rows
  })
  return placed.map(({ type }) => type)
}
