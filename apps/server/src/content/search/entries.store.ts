import type { Db, Tx } from '../../kernel/db/index.ts'
import { blockOf } from './grams.ts'
import { inParts } from './in-parts.ts'
import type { SearchEntryRow } from './search.schema.ts'

type Connection = Db | Tx

/** SQL over `search_entries` and `search_grams`. */
export const entriesStore = {
  async named(db: Connection, rootId: number, parent: number, names: readonly string[]): Promise<SearchEntryRow[]> {
    const found: SearchEntryRow[] = []
    for (const some of inParts(names)) {
      const rows = await db
        .selectFrom('search_entries')
        .selectAll()
        .where('root_id', '=', rootId)
        .where('parent_n', '=', parent)
        .where('name', 'in', some)
        .execute()
      found.push(...rows)
    }
    return found
  },

  /** Entries of a folder in the order of their names, from behind `after` on. */
  inFolder: (
    db: Connection,
    rootId: number,
    parent: number,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<SearchEntryRow[]> =>
    db
      .selectFrom('search_entries')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('parent_n', '=', parent)
      .where('name', '>', after)
      .orderBy('name')
      .limit(limit)
      .execute(),

  async numbered(db: Connection, rootId: number, ns: readonly number[]): Promise<SearchEntryRow[]> {
    const found: SearchEntryRow[] = []
    for (const some of inParts(ns)) {
      const rows = await db
        .selectFrom('search_entries')
        .selectAll()
        .where('root_id', '=', rootId)
        .where('block', 'in', [...new Set(some.map(blockOf))])
        .where('n', 'in', some)
        .execute()
      found.push(...rows)
    }
    return found
  },

  /** Entries of some blocks. */
  inBlocks: (db: Connection, rootId: number, from: number, to: number): Promise<SearchEntryRow[]> =>
    db
      .selectFrom('search_entries')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('block', '>=', from)
      .where('block', '<=', to)
      .execute(),

  async add(tx: Tx, rows: readonly SearchEntryRow[]): Promise<void> {
    for (const some of inParts(rows)) await tx.insertInto('search_entries').values(some).execute()
  },

  async change(
    tx: Tx,
    { rootId, n }: { readonly rootId: number; readonly n: number },
    change: Partial<Omit<SearchEntryRow, 'root_id' | 'n' | 'block'>>,
  ): Promise<void> {
    await tx
      .updateTable('search_entries')
      .set(change)
      .where('root_id', '=', rootId)
      .where('block', '=', blockOf(n))
      .where('n', '=', n)
      .execute()
  },

  async remove(tx: Tx, rootId: number, ns: readonly number[]): Promise<void> {
    for (const some of inParts(ns)) {
      await tx
        .deleteFrom('search_entries')
        .where('root_id', '=', rootId)
        .where('block', 'in', [...new Set(some.map(blockOf))])
        .where('n', 'in', some)
        .execute()
    }
  },

  async addGrams(tx: Tx, rootId: number, byBlock: ReadonlyMap<number, ReadonlySet<string>>): Promise<void> {
    const rows = [...byBlock].flatMap(([block, grams]) => [...grams].map((gram) => ({ root_id: rootId, gram, block })))
    // In the order of the key, so that neighbours land on the same page of the disk.
    rows.sort((a, b) => a.block - b.block || (a.gram < b.gram ? -1 : 1))
    for (const some of inParts(rows)) await tx.insertInto('search_grams').ignore().values(some).execute()
  },
}
