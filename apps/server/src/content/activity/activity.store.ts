import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { hashOfPath } from '../file-events/index.ts'
import type { ActivityRow } from './activity.schema.ts'

/** Values a statement may bind: SQLite allows 32,766. */
const ROWS_PER_STATEMENT = 500

/** An entry whose storage tags it in another way than the one before. */
export interface Retagged {
  readonly pathHash: string
  readonly before: string
  readonly after: string
}

/** Whose tree a path counts in. */
export interface Tree {
  /** '' for the library of a group. */
  readonly ownerId: string
  readonly spaceId: number
  readonly groupId: number
}

/** A part of the order of changes: from `since` on, up to but without `until`. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** The only SQL over `file_activity`. */
export const activityStore = {
  async insert(tx: Tx, rows: ReadonlyArray<Omit<ActivityRow, 'n'>>): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
      await tx
        .insertInto('file_activity')
        .values(rows.slice(at, at + ROWS_PER_STATEMENT))
        .execute()
  },

  /** The last change before `until` that brought one of the paths to be what it is, or took it away. */
  async lastTurn(
    db: Db | Tx,
    tree: Tree,
    { paths, until }: { readonly paths: readonly string[]; readonly until: number },
  ): Promise<ActivityRow | undefined> {
    const hashes = paths.map(hashOfPath)
    const last = (column: 'path_hash' | 'from_hash') =>
      rowsOf(db, tree)
        .where(column, 'in', hashes)
        .where('type', '!=', 'file.replaced')
        .where('n', '<', until)
        .orderBy('n', 'desc')
        .limit(1)
        .executeTakeFirst()
    const [to, from] = await Promise.all([last('path_hash'), last('from_hash')])
    const found = to === undefined || (from !== undefined && from.n > to.n) ? from : to
    return found && numbered(found)
  },

  /** Changes of an entry, and with `isFolder` of what is in it, the last first. */
  async within(
    db: Db | Tx,
    tree: Tree,
    {
      path,
      isFolder,
      since,
      until,
      limit,
    }: Span & { readonly path: string; readonly isFolder: boolean; readonly limit: number },
  ): Promise<ActivityRow[]> {
    const hash = hashOfPath(path)
    const rows = (column: 'path_hash' | 'parent_hash') =>
      rowsOf(db, tree)
        .where(column, '=', hash)
        .where('n', '>=', since)
        .where('n', '<', until)
        .orderBy('n', 'desc')
        .limit(limit)
        .execute()
    const found = [...(await rows('path_hash')), ...(isFolder ? await rows('parent_hash') : [])]
    return found
      .map(numbered)
      .toSorted((a, b) => b.n - a.n)
      .slice(0, limit)
  },

  /** How an item came into the recycle bin. */
  async deletionOf(db: Db | Tx, tree: Tree, recycleId: string): Promise<ActivityRow | undefined> {
    const row = await rowsOf(db, tree)
      .where('recycle_id', '=', recycleId)
      .where('type', '=', 'file.deleted')
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && numbered(row)
  },
}

function rowsOf(db: Db | Tx, { ownerId, spaceId, groupId }: Tree) {
  return db
    .selectFrom('file_activity')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('space_id', '=', spaceId)
    .where('group_id', '=', groupId)
}

function numbered(row: ActivityRow): ActivityRow {
  return { ...row, n: Number(row.n), at: Number(row.at) }
}

/** Follows entries to another storage, at most 500 at once: they are still those that were noted. */
export async function retagActivity(tx: Tx, tree: Tree, entries: readonly Retagged[]): Promise<void> {
  const cases = entries.map(({ pathHash, before, after }) => {
    return sql`when path_hash = ${pathHash} and etag = ${before} then ${after}`
  })
  if (cases.length === 0) return
  await tx
    .updateTable('file_activity')
    .set({ etag: sql<string>`case ${sql.join(cases, sql` `)} else etag end` })
    .where('owner_id', '=', tree.ownerId)
    .where('space_id', '=', tree.spaceId)
    .where('group_id', '=', tree.groupId)
    .where(
      'path_hash',
      'in',
      entries.map(({ pathHash }) => pathHash),
    )
    .execute()
}
