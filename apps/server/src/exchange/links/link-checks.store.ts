import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import type { LinkCheckRow } from './links.schema.ts'

/** The only SQL over `link_checks`. */
export const checksStore = {
  /** The first check of a file stays. */
  async add({ db, dialect }: { readonly db: Db; readonly dialect: DialectName }, check: LinkCheckRow): Promise<void> {
    const insert = db.insertInto('link_checks').values(check)
    await (dialect === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
  },

  /** Files that each recipient has checked, by the hash of their address. */
  async countsOfLink(db: Db | Tx, linkId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await db
      .selectFrom('link_checks')
      .select(['address_hash', (eb) => eb.fn.countAll<number>().as('files')])
      .where('link_id', '=', linkId)
      .groupBy('address_hash')
      .execute()
    return new Map(rows.map(({ address_hash: hash, files }) => [hash, Number(files)]))
  },
}
