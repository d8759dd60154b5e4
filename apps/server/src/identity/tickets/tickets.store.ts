import type { Db } from '../../kernel/db/index.ts'
import type { TicketsTable } from './tickets.schema.ts'

/** The only SQL over `tickets`. */
export const ticketsStore = {
  async insert(db: Db, row: TicketsTable): Promise<void> {
    await db.insertInto('tickets').values(row).execute()
  },

  byHash: (db: Db, hash: string): Promise<TicketsTable | undefined> =>
    db.selectFrom('tickets').selectAll().where('hash', '=', hash).executeTakeFirst(),

  /** Takes one away for its only use. @returns undefined when there is none, or another call was first */
  async take(db: Db, hash: string, purpose: string): Promise<TicketsTable | undefined> {
    const row = await ticketsStore.byHash(db, hash)
    if (row?.purpose !== purpose) return undefined
    const taken = await db.deleteFrom('tickets').where('hash', '=', hash).executeTakeFirst()
    return taken.numDeletedRows > 0n ? row : undefined
  },

  async extend(
    db: Db,
    hash: string,
    { until, unlessAfter }: { readonly until: number; readonly unlessAfter: number },
  ): Promise<void> {
    await db
      .updateTable('tickets')
      .set({ expires_at: until })
      .where('hash', '=', hash)
      .where('expires_at', '<', unlessAfter)
      .execute()
  },

  async removeExpired(db: Db, now: number): Promise<void> {
    await db.deleteFrom('tickets').where('expires_at', '<=', now).execute()
  },
}
