import { sql } from 'kysely'
import { databaseNow, dialectOf, isDuplicate, type Db, type Tx } from '../db/index.ts'
import { headOf } from './outbox.order.ts'
import { type Failure, shortened } from './outbox.failure.ts'

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

/** How far each subscriber has come, and which node delivers to it. */
export function createCursors(db: Db) {
  const now = databaseNow(dialectOf(db))
  const later = (ms: number) => sql<number>`${now} + ${ms}`

  return {
    /** Makes new subscribers known, who begin with what is not placed yet, and notes that the others are still there. */
    async register(names: readonly string[]): Promise<void> {
      await ensureSequence(db)
      if (names.length === 0) return
      await db.updateTable('outbox_subscribers').set({ seen_at: now }).where('name', 'in', names).execute()
      const known = await db.selectFrom('outbox_subscribers').select('name').where('name', 'in', names).execute()
      const position = await headOf(db)
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
          await heldBy(db, holder)
            .set({ lease_until: later(leaseMs) })
            .executeTakeFirst()
        ).numUpdatedRows > 0n
      )
    },

    async release(owner: string): Promise<void> {
      const change = { lease_owner: '', lease_until: 0 }
      await db.updateTable('outbox_subscribers').set(change).where('lease_owner', '=', owner).execute()
    },

    /** Marks everything up to `position` as handled. @returns false when the lease is lost or it was marked already */
    advance,

    async fail(holder: Holder, { error, attempts }: Failure, waitMs: number): Promise<void> {
      await heldBy(db, holder)
        .set({ error: shortened(error), attempts, retry_at: later(waitMs) })
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
  }
}

function heldBy(tx: Db | Tx, { subscriber, owner }: Holder) {
  return tx.updateTable('outbox_subscribers').where('name', '=', subscriber).where('lease_owner', '=', owner)
}

export async function advance(tx: Db | Tx, holder: Holder, position: number): Promise<boolean> {
  const change = { position, attempts: 0, retry_at: 0, error: '' }
  const advanced = await heldBy(tx, holder).where('position', '<', position).set(change).executeTakeFirst()
  return advanced.numUpdatedRows > 0n
}

/** Makes the row whose lock makes the order. Not part of the schema: a copied database brings its own. */
async function ensureSequence(db: Db): Promise<void> {
  if ((await db.selectFrom('outbox_sequence').select('id').executeTakeFirst()) !== undefined) return
  await unlessDuplicate(() => db.insertInto('outbox_sequence').values({ id: 1, position: 0 }).execute())
}

/** Another node may have been faster. */
async function unlessDuplicate(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (thrown) {
    if (!isDuplicate(thrown)) throw thrown
  }
}
