import type { Selectable } from 'kysely'
import { databaseNow, dialectOf, inTransaction, type Db, type Tables, type Tx } from '../db/index.ts'
import { advance, type Holder } from './outbox.cursors.ts'
import { type Failure, shortened } from './outbox.failure.ts'
import type { EventRow } from './outbox.order.ts'

export type ParkedRow = Selectable<Tables['outbox_parked']>

/** Parked events that are tried again at once. */
const RETRY_BATCH = 500

/** Events that kept failing, put aside for one subscriber each. */
export function createParkedEvents(db: Db) {
  const now = databaseNow(dialectOf(db))
  return {
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
      return wanted.where('subscriber', 'in', subscribers).orderBy('position').limit(RETRY_BATCH).execute()
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
  }
}
