import { sql, type Selectable } from 'kysely'
import { databaseNow, dialectOf, inTransaction, isDuplicate, type Db, type Tables, type Tx } from '../db/index.ts'

export interface EventRow {
  readonly position: number
  readonly type: string
  readonly payload: string
  readonly created_at: number
}

/** Where a subscriber stands, as the holder of its lease finds it. */
export interface Cursor {
  readonly position: number
  /** Failed tries of the next event; a holder that died counts as one. */
  readonly attempts: number
  /** How long the next try must wait. */
  readonly waitMs: number
}

export interface Holder {
  readonly subscriber: string
  readonly owner: string
}

export interface Failure {
  readonly error: string
  readonly attempts: number
}

export type ParkedRow = Selectable<Tables['outbox_parked']>

/** Rows that are given their place at once. */
const SEQUENCE_BATCH = 500
const PRUNE_BATCH = 5_000
/** A subscriber that no node has had for so long is gone for good, and holds up the pruning no more. */
const RETIRED_AFTER_MS = 30 * 24 * 3_600_000
const ERROR_MAX = 500

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** The only SQL over the tables of the outbox. */
export function createOutboxStore(db: Db) {
  const now = databaseNow(dialectOf(db))
  const later = (ms: number) => sql<number>`${now} + ${ms}`
  const held = ({ subscriber, owner }: Holder, tx: Db | Tx = db) =>
    tx.updateTable('outbox_subscribers').where('name', '=', subscriber).where('lease_owner', '=', owner)

  async function head(): Promise<number> {
    return (await db.selectFrom('outbox_sequence').select('position').executeTakeFirst())?.position ?? 0
  }

  async function advance(tx: Db | Tx, holder: Holder, position: number): Promise<boolean> {
    const change = { position, attempts: 0, retry_at: 0, error: '' }
    return (await held(holder, tx).where('position', '<', position).set(change).executeTakeFirst()).numUpdatedRows > 0n
  }

  /** Makes the row whose lock makes the order. Not part of the schema: a copied database brings its own. */
  async function begin(): Promise<void> {
    if ((await db.selectFrom('outbox_sequence').select('id').executeTakeFirst()) !== undefined) return
    await unlessDuplicate(() => db.insertInto('outbox_sequence').values({ id: 1, position: 0 }).execute())
  }

  return {
    /** The place of the last event. */
    head,
    /** Marks everything up to `position` as handled. @returns false when the lease is lost or it was marked already */
    advance,
    /**
     * Gives committed events their place in the order of delivery, which follows insertion as far as it can: an event that
     * is committed later than one inserted after it comes behind. The lock on the one row lets no reader see a place before
     * all lower ones.
     * @returns the types of what was placed
     */
    async sequence(): Promise<ReadonlySet<string>> {
      const types = new Set<string>()
      const unplaced = (tx: Db | Tx, limit: number) =>
        tx
          .selectFrom('outbox')
          .select(['seq', 'type'])
          .where('position', 'is', null)
          .orderBy('seq')
          .limit(limit)
          .execute()
      while ((await unplaced(db, 1)).length > 0) {
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
        for (const { type } of placed) types.add(type)
      }
      return types
    },

    /** Makes new subscribers known, who begin with what is not placed yet, and notes that the others are still there. */
    async register(names: readonly string[]): Promise<void> {
      await begin()
      if (names.length === 0) return
      await db.updateTable('outbox_subscribers').set({ seen_at: now }).where('name', 'in', names).execute()
      const known = await db.selectFrom('outbox_subscribers').select('name').where('name', 'in', names).execute()
      const position = await head()
      const row = { position, lease_owner: '', lease_until: 0, attempts: 0, retry_at: 0, error: '', seen_at: now }
      for (const name of names.filter((one) => known.every((other) => other.name !== one))) {
        await unlessDuplicate(() =>
          db
            .insertInto('outbox_subscribers')
            .values({ name, ...row })
            .execute(),
        )
      }
    },

    /** Takes the lease on a subscriber, or keeps it. @returns undefined while another node has it */
    async acquire({ subscriber, owner }: Holder, leaseMs: number): Promise<Cursor | undefined> {
      // MySQL assigns from left to right, so the former owner is looked at first.
      const taken = await sql`update outbox_subscribers set
          attempts = case when lease_owner in ('', ${owner}) then attempts else attempts + 1 end,
          lease_owner = ${owner}, lease_until = ${later(leaseMs)}
        where name = ${subscriber} and (lease_owner in ('', ${owner}) or lease_until < ${now})`.execute(db)
      if (taken.numAffectedRows === 0n) return undefined
      return db
        .selectFrom('outbox_subscribers')
        .select(['position', 'attempts', sql<number>`retry_at - ${now}`.as('waitMs')])
        .where('name', '=', subscriber)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
    },

    /** @returns false when the lease is lost */
    async renew(holder: Holder, leaseMs: number): Promise<boolean> {
      return (
        (
          await held(holder)
            .set({ lease_until: later(leaseMs) })
            .executeTakeFirst()
        ).numUpdatedRows > 0n
      )
    },

    async release(owner: string): Promise<void> {
      const change = { lease_owner: '', lease_until: 0 }
      await db.updateTable('outbox_subscribers').set(change).where('lease_owner', '=', owner).execute()
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

    async fail(holder: Holder, { error, attempts }: Failure, waitMs: number): Promise<void> {
      await held(holder)
        .set({ error: shortened(error), attempts, retry_at: later(waitMs) })
        .execute()
    },

    /** Puts an event aside for one subscriber. */
    async park(holder: Holder, row: EventRow, { error, attempts }: Failure): Promise<void> {
      await inTransaction(db, async (tx) => {
        if (!(await advance(tx, holder, row.position))) return
        const failure = { error: shortened(error), attempts, parked_at: now, retry: 0 }
        await tx
          .insertInto('outbox_parked')
          .values({ subscriber: holder.subscriber, ...row, ...failure })
          .execute()
      })
    },

    /** Parked events that somebody wants tried again. */
    toRetry(subscribers: readonly string[]): Promise<ParkedRow[]> {
      if (subscribers.length === 0) return Promise.resolve([])
      const wanted = db.selectFrom('outbox_parked').selectAll().where('retry', '=', 1)
      return wanted.where('subscriber', 'in', subscribers).orderBy('position').limit(SEQUENCE_BATCH).execute()
    },

    /** @returns false when it is not there any more */
    async removeParked(tx: Db | Tx, { subscriber, position }: ParkedRow): Promise<boolean> {
      const removed = tx
        .deleteFrom('outbox_parked')
        .where('subscriber', '=', subscriber)
        .where('position', '=', position)
      return (await removed.executeTakeFirst()).numDeletedRows > 0n
    },

    async failParked({ subscriber, position, attempts }: ParkedRow, error: string): Promise<void> {
      await db
        .updateTable('outbox_parked')
        .set({ error: shortened(error), attempts: attempts + 1, retry: 0, parked_at: now })
        .where('subscriber', '=', subscriber)
        .where('position', '=', position)
        .execute()
    },

    /** Moves subscribers over what is none of their business. Needs no lease: nothing between is theirs. */
    async skip(name: string, types: readonly string[], to: number): Promise<void> {
      const own = sql<boolean>`exists (select 1 from outbox where outbox.position > outbox_subscribers.position
        and outbox.position <= ${to} and outbox.type in (${sql.join(types)}))`
      const behind = db.updateTable('outbox_subscribers').set({ position: to }).where('name', '=', name)
      await behind
        .where('position', '<', to)
        .where(sql<boolean>`not ${own}`)
        .execute()
    },

    /** Forgets what every subscriber has passed. @returns up to where that is */
    async prune(): Promise<number> {
      const retired = sql<number>`${now} - ${RETIRED_AFTER_MS}`
      await db.deleteFrom('outbox_subscribers').where('seen_at', '<', retired).execute()
      const last = await db
        .selectFrom('outbox_subscribers')
        .select((row) => row.fn.min('position').as('position'))
        .executeTakeFirst()
      const passed = Number(last?.position ?? (await head()))
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

/** Another node may have been faster. */
async function unlessDuplicate(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (thrown) {
    if (!isDuplicate(thrown)) throw thrown
  }
}

function shortened(error: string): string {
  return error.slice(0, ERROR_MAX)
}
