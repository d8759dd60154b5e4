import { sql } from 'kysely'
import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import { hashOfPath } from '../../content/file-events/index.ts'
import type { LinkEntryRow, LinkUseRow, VisitRow } from './links.schema.ts'

export type RecipientUse = Pick<
  LinkUseRow,
  'recipient' | 'kind' | 'files' | 'file_count' | 'bytes' | 'total_bytes' | 'is_whole'
>

/** Of one link: what is older shows in no sum. */
const USES_OF_RECIPIENTS_MAX = 10_000

/** The only SQL over `link_visits`, `link_uses` and `link_entries`. */
export const visitsStore = {
  async insert(db: Db | Tx, row: VisitRow): Promise<void> {
    await db.insertInto('link_visits').values(row).execute()
  },

  /** Begins a visit, or goes on with the one of this token; requests come at the same time. @returns its id */
  async begin({ db, dialect }: { readonly db: Db; readonly dialect: DialectName }, row: VisitRow): Promise<string> {
    const insert = db.insertInto('link_visits').values(row)
    await (dialect === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
    const ofToken = db.updateTable('link_visits').where('token_hash', '=', row.token_hash)
    await ofToken.set({ expires_at: row.expires_at }).execute()
    const begun = await visitsStore.byToken(db, row.token_hash)
    if (begun === undefined) throw new Error('a visit that was begun is gone')
    return begun.id
  },

  byToken(db: Db, tokenHash: string): Promise<VisitRow | undefined> {
    return db.selectFrom('link_visits').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
  },

  byId(db: Db | Tx, id: string): Promise<VisitRow | undefined> {
    return db.selectFrom('link_visits').selectAll().where('id', '=', id).executeTakeFirst()
  },

  /** Ends a visit: its row stays for the records of what it did. */
  async end(db: Db | Tx, id: string, now: number): Promise<void> {
    await db.updateTable('link_visits').set({ expires_at: now }).where('id', '=', id).execute()
  },

  /** Visits of these links that go on. */
  async countOpen(db: Db, linkIds: readonly string[], now: number): Promise<number> {
    if (linkIds.length === 0) return 0
    const { n } = await db
      .selectFrom('link_visits')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('link_id', 'in', linkIds)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    return Number(n)
  },

  async endAllOf(tx: Tx, linkIds: readonly string[], now: number): Promise<void> {
    await tx
      .updateTable('link_visits')
      .set({ expires_at: now })
      .where('link_id', 'in', linkIds)
      .where('expires_at', '>', now)
      .execute()
  },

  /** Ends the visits of these recipients. */
  async endThoseOf(tx: Tx, linkId: string, recipients: readonly string[], now: number): Promise<void> {
    if (recipients.length === 0) return
    await tx
      .updateTable('link_visits')
      .set({ expires_at: now })
      .where('link_id', '=', linkId)
      .where('recipient', 'in', recipients)
      .where('expires_at', '>', now)
      .execute()
  },

  /** Forgets visits that ended before, and what they brought: nobody can ask for it any more. */
  async forget(db: Db, before: number, limit: number): Promise<number> {
    const rows = await db
      .selectFrom('link_visits')
      .select('id')
      .where('expires_at', '<', before)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await db.deleteFrom('link_entries').where('visit_id', 'in', ids).execute()
    await db.deleteFrom('link_visits').where('id', 'in', ids).execute()
    return ids.length
  },

  async addUse(db: Db | Tx, row: LinkUseRow): Promise<void> {
    await db.insertInto('link_uses').values(row).execute()
  },

  /** The record of the same download that began after `since`. */
  async latestDownload(
    db: Db,
    same: Readonly<Record<'linkId' | 'visitId' | 'address' | 'files', string>>,
    since: number,
  ): Promise<string | undefined> {
    const row = await db
      .selectFrom('link_uses')
      .select('id')
      .where('link_id', '=', same.linkId)
      .where('at', '>', since)
      .where('visit_id', '=', same.visitId)
      .where('address', '=', same.address)
      .where('files', '=', same.files)
      .where('kind', '=', 'download')
      .orderBy('at', 'desc')
      .executeTakeFirst()
    return row?.id
  },

  /** The record of uploads of a visit that began after `since`. */
  latestUpload(
    tx: Tx,
    of: { readonly linkId: string; readonly visitId: string },
    since: number,
  ): Promise<LinkUseRow | undefined> {
    return tx
      .selectFrom('link_uses')
      .selectAll()
      .where('link_id', '=', of.linkId)
      .where('at', '>', since)
      .where('visit_id', '=', of.visitId)
      .where('kind', '=', 'upload')
      .orderBy('at', 'desc')
      .executeTakeFirst()
  },

  async changeUse(db: Db | Tx, id: string, change: Partial<LinkUseRow>): Promise<void> {
    await db.updateTable('link_uses').set(change).where('id', '=', id).execute()
  },

  /** Adds what left to a download's record. */
  async addBytes(db: Db, id: string, sent: { readonly bytes: number; readonly isWhole: boolean }): Promise<void> {
    await db
      .updateTable('link_uses')
      .set({
        // First: MariaDB reads what stands before it in the statement as changed already.
        ...(sent.isWhole
          ? { is_whole: sql<number>`case when bytes + ${sent.bytes} >= total_bytes then 1 else 0 end` }
          : {}),
        bytes: sql<number>`bytes + ${sent.bytes}`,
      })
      .where('id', '=', id)
      .execute()
  },

  async uses(
    db: Db,
    linkId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly rows: LinkUseRow[]; readonly total: number }> {
    const all = db.selectFrom('link_uses').where('link_id', '=', linkId)
    const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const rows = await all.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
    return { rows, total: Number(total) }
  },

  /** Of those whose address is known; the newest first. */
  usesOfRecipients(db: Db | Tx, linkId: string): Promise<RecipientUse[]> {
    return db
      .selectFrom('link_uses')
      .select(['recipient', 'kind', 'files', 'file_count', 'bytes', 'total_bytes', 'is_whole'])
      .where('link_id', '=', linkId)
      .where('recipient', '!=', '')
      .orderBy('id', 'desc')
      .limit(USES_OF_RECIPIENTS_MAX)
      .execute()
  },

  /** Oldest first. */
  usesBetween(
    tx: Tx,
    linkId: string,
    { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
  ): Promise<LinkUseRow[]> {
    return tx
      .selectFrom('link_uses')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('at', '>', after)
      .where('at', '<=', until)
      .orderBy('at')
      .limit(limit)
      .execute()
  },

  /** @returns whether it was not known yet */
  async addEntry(
    { tx, dialect }: { readonly tx: Tx; readonly dialect: DialectName },
    row: Omit<LinkEntryRow, 'path_hash'>,
  ) {
    const insert = tx.insertInto('link_entries').values({ ...row, path_hash: hashOfPath(row.path) })
    const added = await (dialect === 'mysql' ? insert.ignore() : insert.orIgnore()).executeTakeFirst()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  },

  entriesOf(db: Db, visitId: string): Promise<LinkEntryRow[]> {
    return db.selectFrom('link_entries').selectAll().where('visit_id', '=', visitId).orderBy('at').execute()
  },

  /** What visits brought goes with its folder. */
  async moveEntries(tx: Tx, { linkId, from, to }: Readonly<Record<'linkId' | 'from' | 'to', string>>): Promise<void> {
    const rows = await tx.selectFrom('link_entries').selectAll().where('link_id', '=', linkId).execute()
    for (const { visit_id: visitId, path_hash: hash, path } of rows) {
      if (!path.startsWith(`${from}/`)) continue
      const moved = to + path.slice(from.length)
      await tx
        .updateTable('link_entries')
        .set({ path: moved, path_hash: hashOfPath(moved) })
        .where('visit_id', '=', visitId)
        .where('path_hash', '=', hash)
        .execute()
    }
  },

  async hasEntry(db: Db | Tx, visitId: string, path: string): Promise<boolean> {
    const row = await db
      .selectFrom('link_entries')
      .select('visit_id')
      .where('visit_id', '=', visitId)
      .where('path_hash', '=', hashOfPath(path))
      .executeTakeFirst()
    return row !== undefined
  },
}
