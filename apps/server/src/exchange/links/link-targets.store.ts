import { sql } from 'kysely'
import { hashOfPath, treeOwnerOf, type FileEvent } from '../../content/file-events/index.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { LinkTargetRow } from './links.schema.ts'

/** Rows of one statement. */
const ROWS_AT_ONCE = 500

type TargetKey = Pick<LinkTargetRow, 'link_id' | 'at'>
type TargetPlace = Pick<LinkTargetRow, 'owner_id' | 'space_id' | 'group_id'>

/** The only SQL over `link_targets`. */
export const targetsStore = {
  async insert(tx: Tx, rows: readonly LinkTargetRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await tx
        .insertInto('link_targets')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .execute()
  },

  ofLink(db: Db | Tx, linkId: string): Promise<LinkTargetRow[]> {
    return db.selectFrom('link_targets').selectAll().where('link_id', '=', linkId).orderBy('at').execute()
  },

  async ofLinks(db: Db | Tx, linkIds: readonly string[]): Promise<ReadonlyMap<string, readonly LinkTargetRow[]>> {
    if (linkIds.length === 0) return new Map()
    const rows = await db
      .selectFrom('link_targets')
      .selectAll()
      .where('link_id', 'in', linkIds)
      .orderBy('link_id')
      .orderBy('at')
      .execute()
    return Map.groupBy(rows, ({ link_id: id }) => id)
  },

  /** What is shared of an entry; of a folder also what is shared below it. Nothing that is lost. */
  async within(
    tx: Tx,
    event: Pick<FileEvent, 'userId' | 'spaceId' | 'groupId' | 'kind'>,
    path: string,
  ): Promise<LinkTargetRow[]> {
    const { owner_id: ownerId, space_id: spaceId, group_id: groupId } = placeOfTarget(event)
    const there = tx
      .selectFrom('link_targets')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('space_id', '=', spaceId)
      .where('group_id', '=', groupId)
      .where('is_lost', '=', 0)
    const exact = await there.where('path_hash', '=', hashOfPath(path)).execute()
    if (event.kind === 'file') return exact
    // '0' comes after '/'.
    return [...exact, ...(await there.where('path', '>=', `${path}/`).where('path', '<', `${path}0`).execute())]
  },

  /** What was lost with an item of the recycle bin. */
  recycledWith(tx: Tx, recycleId: string): Promise<LinkTargetRow[]> {
    return tx.selectFrom('link_targets').selectAll().where('recycle_id', '=', recycleId).execute()
  },

  async change(tx: Tx, { link_id: linkId, at }: TargetKey, change: Partial<Omit<LinkTargetRow, 'path_hash'>>) {
    await tx
      .updateTable('link_targets')
      .set({ ...change, ...(change.path === undefined ? {} : { path_hash: hashOfPath(change.path) }) })
      .where('link_id', '=', linkId)
      .where('at', '=', at)
      .execute()
  },
}

/** Whose tree paths of an event count in; '' for the library of a group. */
export function placeOfTarget({
  userId,
  spaceId,
  groupId,
}: Pick<FileEvent, 'userId' | 'spaceId' | 'groupId'>): TargetPlace {
  return { owner_id: treeOwnerOf({ userId, groupId }), space_id: spaceId, group_id: groupId }
}

/** An entry whose storage tags it in another way than the one before. */
interface Retagged {
  readonly pathHash: string
  readonly before: string
  readonly after: string
}

/** Follows what is shared to another storage, at most 500 entries at once: links stay with what they were made for. */
export async function retagTargets(
  tx: Tx,
  { ownerId, spaceId, groupId }: { readonly ownerId: string; readonly spaceId: number; readonly groupId: number },
  entries: readonly Retagged[],
): Promise<void> {
  const cases = entries.map(({ pathHash, before, after }) => {
    return sql`when path_hash = ${pathHash} and etag = ${before} then ${after}`
  })
  if (cases.length === 0) return
  await tx
    .updateTable('link_targets')
    .set({ etag: sql<string>`case ${sql.join(cases, sql` `)} else etag end` })
    .where('owner_id', '=', ownerId)
    .where('space_id', '=', spaceId)
    .where('group_id', '=', groupId)
    .where(
      'path_hash',
      'in',
      entries.map(({ pathHash }) => pathHash),
    )
    .execute()
}
