import { sql } from 'kysely'
import { SEARCH_ENDINGS, type SearchKind } from '@godwit/contract'
import type { Db } from '../../kernel/db/index.ts'
import { blockOf, type GramQuery } from './grams.ts'
import { foldersStore } from './folders.store.ts'
import { ROOT, type SearchEntryRow } from './search.schema.ts'

/** What an entry must be like, besides where it is. */
export interface Wanted {
  /** Folded; '' for any name. */
  readonly textKey: string
  readonly kind?: SearchKind | null | undefined
  readonly minSize?: number | null | undefined
  readonly maxSize?: number | null | undefined
  /** Unix seconds, both included. */
  readonly changedAfter?: number | null | undefined
  readonly changedBefore?: number | null | undefined
  /** The folder that it is in; left out for any. */
  readonly parent?: number | undefined
}

/** Those of the blocks that may have a name with the text, the latest first. */
export async function candidateBlocks(
  db: Db,
  rootId: number,
  { query, blocks }: { readonly query: GramQuery; readonly blocks: readonly number[] },
): Promise<number[]> {
  if (query.kind === 'all-blocks') return [...blocks]
  // Each block by itself: the key begins with it, so that new names are written side by side.
  const found = db
    .selectFrom('search_grams')
    .select('block')
    .where('root_id', '=', rootId)
    .where('block', 'in', blocks)
    .groupBy('block')
    .orderBy('block', 'desc')
  const rows =
    query.kind === 'every'
      ? await found
          .where('gram', 'in', query.grams)
          .having(sql<boolean>`count(*) = ${sql.lit(query.grams.length)}`)
          .execute()
      : await found
          .where('gram', '>=', query.from)
          .$if(query.to !== undefined, (narrowed) => narrowed.where('gram', '<', query.to ?? ''))
          .execute()
  return rows.map(({ block }) => Number(block))
}

/** Entries of some blocks before number `before`, the latest first. */
export function entriesIn(
  db: Db,
  {
    rootId,
    blocks,
    before,
    limit,
  }: {
    readonly rootId: number
    readonly blocks: readonly number[]
    readonly before: number
    readonly limit: number
  },
  wanted: Wanted,
): Promise<SearchEntryRow[]> {
  return wantedIn(db, { rootId, blocks }, wanted)
    .where('n', '<', before)
    .orderBy('block', 'desc')
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
}

/** Those of some entries that are like this. */
export async function entriesAmong(
  db: Db,
  { rootId, ns }: { readonly rootId: number; readonly ns: readonly number[] },
  wanted: Wanted,
): Promise<SearchEntryRow[]> {
  if (ns.length === 0) return []
  const blocks = [...new Set(ns.map(blockOf))]
  return wantedIn(db, { rootId, blocks }, wanted).where('n', 'in', ns).execute()
}

function wantedIn(
  db: Db,
  { rootId, blocks }: { readonly rootId: number; readonly blocks: readonly number[] },
  { textKey, kind, minSize, maxSize, changedAfter, changedBefore, parent }: Wanted,
) {
  let query = db.selectFrom('search_entries').selectAll().where('root_id', '=', rootId).where('block', 'in', blocks)
  if (textKey !== '') query = query.where(sql<boolean>`instr(name_key, ${textKey}) > 0`)
  if (parent !== undefined) query = query.where('parent_n', '=', parent)
  if (kind === 'folder') query = query.where('is_folder', '=', 1)
  else if (kind != null) query = query.where('is_folder', '=', 0).where('ending', 'in', SEARCH_ENDINGS[kind].split(' '))
  if (minSize != null) query = query.where('is_folder', '=', 0).where('size', '>=', minSize)
  if (maxSize != null) query = query.where('is_folder', '=', 0).where('size', '<=', maxSize)
  if (changedAfter != null) query = query.where('modified_ms', '>=', changedAfter * 1000)
  if (changedBefore != null) query = query.where('modified_ms', '<', (changedBefore + 1) * 1000)
  return query
}

/** Paths of folders, looked up as they are needed and kept for one search. */
export class FolderPaths {
  readonly #db: Db
  readonly #rootId: number
  readonly #known = new Map<number, { readonly parent: number; readonly name: string }>()

  constructor(db: Db, rootId: number) {
    this.#db = db
    this.#rootId = rootId
  }

  /** Looks up these folders and all above them. */
  async load(ns: Iterable<number>): Promise<void> {
    let missing = new Set([...ns].filter((n) => n > ROOT && !this.#known.has(n)))
    while (missing.size > 0) {
      const rows = await foldersStore.folders(this.#db, this.#rootId, [...missing])
      for (const row of rows) this.#known.set(Number(row.n), { parent: Number(row.parent_n), name: row.name })
      const above = rows.map((row) => Number(row.parent_n))
      missing = new Set(above.filter((n) => n > ROOT && !this.#known.has(n)))
    }
  }

  /** Names from the root down, and whether `folder` is one of them. After load(). @returns undefined when it was deleted */
  wayTo(n: number, folder: number): { readonly names: string[]; readonly isBelow: boolean } | undefined {
    const names: string[] = []
    let isBelow = folder === ROOT
    for (let at = n; at !== ROOT;) {
      if (at === folder) isBelow = true
      const row = this.#known.get(at)
      if (row === undefined) return undefined
      names.push(row.name)
      at = row.parent
    }
    return { names: names.toReversed(), isBelow }
  }
}
