import type { Db, Tx } from '../../kernel/db/index.ts'
import type { LinkArrivalRow } from './links.schema.ts'

/** Who brings: the recipient whose address it was, else the visit. */
export interface Bringer {
  readonly linkId: string
  readonly visitId: string
  readonly recipient: string
}

/** The only SQL over `link_arrivals`. */
export const arrivalsStore = {
  async add(tx: Tx, row: LinkArrivalRow): Promise<void> {
    await tx.insertInto('link_arrivals').values(row).execute()
  },

  /** Files of one who brings, by item. */
  async countsOf(db: Db | Tx, { linkId, visitId, recipient }: Bringer): Promise<ReadonlyMap<string, number>> {
    const rows = await db
      .selectFrom('link_arrivals')
      .select((eb) => ['item', eb.fn.countAll<number>().as('n')])
      .where('link_id', '=', linkId)
      .where((eb) => (recipient === '' ? eb('visit_id', '=', visitId) : eb('recipient', '=', recipient)))
      .groupBy('item')
      .execute()
    return new Map(rows.map(({ item, n }) => [item, Number(n)]))
  },

  /** Files of everybody, by item and recipient. */
  async counts(db: Db | Tx, linkId: string) {
    const rows = await db
      .selectFrom('link_arrivals')
      .select((eb) => ['item', 'recipient', eb.fn.countAll<number>().as('n')])
      .where('link_id', '=', linkId)
      .groupBy(['item', 'recipient'])
      .execute()
    return rows.map(({ n, ...of }) => ({ ...of, files: Number(n) }))
  },

  /** The newest first. */
  latest(db: Db, linkId: string, limit: number): Promise<LinkArrivalRow[]> {
    return db
      .selectFrom('link_arrivals')
      .selectAll()
      .where('link_id', '=', linkId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  },
}
