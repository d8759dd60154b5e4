import { LIMITS, LINK_STATUS, NEVER_EXPIRES } from '@godwit/contract'
import { sql, type Expression, type SqlBool } from 'kysely'
import { dialectOf, type Db, type Tx } from '../../kernel/db/index.ts'
import { hashOfPath } from '../../content/file-events/index.ts'
import { targetsStore } from './link-targets.store.ts'
import type { Link, LinkRow } from './links.schema.ts'

export interface LinkSearch {
  readonly ownerId?: string | undefined
  /** Part of the owner's account, as its key has it. */
  readonly ownerText?: string | undefined
  /** Of the owner. */
  readonly departmentIds?: readonly number[] | undefined
  /** Nothing else exists: links of this account, or in these places. */
  readonly scope?: LinkScope | undefined
  readonly urlType?: number | undefined
  readonly spaceId?: number | undefined
  readonly status?: number | undefined
  /** Of one entry. */
  readonly target?: { readonly groupId: number; readonly path: string } | undefined
  /** Lower case. */
  readonly text: string
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly orderBy: 'label' | 'created_at' | 'expires_at' | 'status' | 'download_count' | 'upload_count'
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
  readonly now: number
}

/** Whose links somebody sees who does not see all. */
export interface LinkScope {
  readonly ownerId: string
  readonly spaceIds: readonly number[]
  readonly groupIds: readonly number[]
}

/** The only SQL over `links`. */
export const linksStore = {
  async insert(tx: Tx, { targets, ...row }: Link): Promise<void> {
    await tx.insertInto('links').values(row).execute()
    await targetsStore.insert(tx, targets)
  },

  async byId(db: Db | Tx, id: string): Promise<Link | undefined> {
    const row = await db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { ...row, targets: await targetsStore.ofLink(db, id) }
  },

  /** As byId(), and nobody else changes the row until the transaction ends. */
  async hold(tx: Tx, id: string): Promise<Link | undefined> {
    const query = tx.selectFrom('links').selectAll().where('id', '=', id)
    // SQLite has one writer at a time and no row locks.
    const row = await (dialectOf(tx) === 'mysql' ? query.forUpdate() : query).executeTakeFirst()
    return row && { ...row, targets: await targetsStore.ofLink(tx, id) }
  },

  /** Those of these that are there, in the order of the ids. */
  async byIds(db: Db | Tx, ids: readonly string[]): Promise<Link[]> {
    const rows = new Map((await linksStore.rows(db, ids)).map((row) => [row.id, row]))
    return withTargets(
      db,
      ids.flatMap((id) => rows.get(id) ?? []),
    )
  },

  async ofOwner(db: Db | Tx, ownerId: string, ids: readonly string[]): Promise<Link[]> {
    const rows = await db
      .selectFrom('links')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('id', 'in', ids)
      .execute()
    return withTargets(db, rows)
  },

  async search(db: Db, wanted: LinkSearch): Promise<{ readonly rows: Link[]; readonly total: number }> {
    const matching = db.selectFrom('links').where(() => conditions(wanted))
    const [{ total }, page] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      // An index has the ids in their order: whole rows are read for one page alone.
      matching
        .select('id')
        .orderBy(wanted.orderBy, wanted.order)
        .orderBy('id', wanted.order)
        .limit(wanted.limit)
        .offset(wanted.offset)
        .execute(),
    ])
    const rows = await linksStore.rows(
      db,
      page.map(({ id }) => id),
      wanted.scope,
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return {
      rows: await withTargets(
        db,
        page.flatMap(({ id }) => byId.get(id) ?? []),
      ),
      total: Number(total),
    }
  },

  /** Of these, those that are there and within the scope; without what they share. */
  async rows(db: Db | Tx, ids: readonly string[], scope?: LinkScope): Promise<LinkRow[]> {
    if (ids.length === 0) return []
    const found = db.selectFrom('links').selectAll().where('id', 'in', ids)
    return (scope === undefined ? found : found.where(() => isWithin(scope))).execute()
  },

  /** What fits, without what it shares; the newest first. */
  matching(db: Db, wanted: Omit<LinkSearch, 'orderBy' | 'order' | 'offset'>): Promise<LinkRow[]> {
    return db
      .selectFrom('links')
      .selectAll()
      .where(() => conditions(wanted))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(wanted.limit)
      .execute()
  },

  async change(tx: Tx, id: string, change: Partial<Omit<LinkRow, 'id' | 'owner_id'>>): Promise<void> {
    await tx.updateTable('links').set(change).where('id', '=', id).execute()
  },

  async changeAll(
    tx: Tx,
    ids: readonly string[],
    change: Partial<Pick<LinkRow, 'status' | 'bind_device'>>,
  ): Promise<void> {
    await tx.updateTable('links').set(change).where('id', 'in', ids).execute()
  },

  async remove(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.deleteFrom('links').where('id', 'in', ids).execute()
  },

  /** Binds a link that has no device yet. @returns whether it was this one that came first */
  async bind(db: Db | Tx, id: string, device: string): Promise<boolean> {
    const bound = await db
      .updateTable('links')
      .set({ bind_device: device })
      .where('id', '=', id)
      .where('bind_device', '=', '')
      .executeTakeFirst()
    return bound.numUpdatedRows > 0n
  },

  /** Counts a download. @returns false when the limit was used up by others meanwhile */
  async countDownload(tx: Tx, id: string): Promise<boolean> {
    const counted = await tx
      .updateTable('links')
      .set({ download_count: sql<number>`download_count + 1` })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('download_limit', '=', 0), eb('download_count', '<', eb.ref('download_limit'))]))
      .executeTakeFirst()
    return counted.numUpdatedRows > 0n
  },

  async countUploads(tx: Tx, id: string, count: number): Promise<void> {
    await tx
      .updateTable('links')
      .set({ upload_count: sql<number>`upload_count + ${count}` })
      .where('id', '=', id)
      .execute()
  },

  /** Links whose time is over and that nobody has noted. */
  async expired(db: Db, now: number, limit: number): Promise<string[]> {
    const rows = await db
      .selectFrom('links')
      .select('id')
      .where('status', '=', LINK_STATUS.normal)
      .where('expires_at', '!=', NEVER_EXPIRES)
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },

  /** Links whose owners want mails, with uses up to `until` that were not reported; none that was reported after `before`. */
  withNews(
    db: Db,
    { until, before, limit }: { readonly until: number; readonly before: number; readonly limit: number },
  ): Promise<LinkRow[]> {
    return db
      .selectFrom('links')
      .selectAll()
      .where('notify', '=', 1)
      .where('reported_at', '<=', before)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('link_uses')
            .select('link_uses.id')
            .whereRef('link_uses.link_id', '=', 'links.id')
            .whereRef('link_uses.at', '>', 'links.reported_until')
            .where('link_uses.at', '<=', until),
        ),
      )
      .orderBy('reported_at')
      .limit(limit)
      .execute()
  },

  /** @returns false when somebody else reported them meanwhile */
  async markReported(
    tx: Tx,
    { id, reported_until: known }: Pick<LinkRow, 'id' | 'reported_until'>,
    { until, now }: { readonly until: number; readonly now: number },
  ): Promise<boolean> {
    const marked = await tx
      .updateTable('links')
      .set({ reported_until: until, reported_at: now })
      .where('id', '=', id)
      .where('reported_until', '=', known)
      .executeTakeFirst()
    return marked.numUpdatedRows > 0n
  },

  /** Links that end until then, whose owners were not reminded of this end; none that was made for so short a time. */
  ending(
    db: Db,
    { now, leadMs, limit }: { readonly now: number; readonly leadMs: number; readonly limit: number },
  ): Promise<LinkRow[]> {
    return db
      .selectFrom('links')
      .selectAll()
      .where('status', '=', LINK_STATUS.normal)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + leadMs)
      .where((eb) => eb('reminded_of', '!=', eb.ref('expires_at')))
      .where((eb) => eb(eb('expires_at', '-', eb.ref('created_at')), '>', leadMs))
      .orderBy('expires_at')
      .limit(limit)
      .execute()
  },

  /** @returns false when somebody else did meanwhile, or the end is another one */
  async markReminded(tx: Tx, { id, expires_at: end }: Pick<LinkRow, 'id' | 'expires_at'>): Promise<boolean> {
    const marked = await tx
      .updateTable('links')
      .set({ reminded_of: end })
      .where('id', '=', id)
      .where('expires_at', '=', end)
      .where('reminded_of', '!=', end)
      .executeTakeFirst()
    return marked.numUpdatedRows > 0n
  },

  /** @returns false when those who are missing were reminded after `before` */
  async takeChase(tx: Tx, id: string, { before, now }: Readonly<Record<'before' | 'now', number>>): Promise<boolean> {
    const query = tx.updateTable('links').set({ chased_at: now }).where('id', '=', id)
    return (await query.where('chased_at', '<=', before).executeTakeFirst()).numUpdatedRows > 0n
  },

  async expire(db: Db | Tx, ids: readonly string[]): Promise<void> {
    await db
      .updateTable('links')
      .set({ status: LINK_STATUS.expired })
      .where('id', 'in', ids)
      .where('status', '=', LINK_STATUS.normal)
      .execute()
  },
}

async function withTargets(db: Db | Tx, rows: readonly LinkRow[]): Promise<Link[]> {
  const all = await targetsStore.ofLinks(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, targets: all.get(row.id) ?? [] }))
}

function isWithin({ ownerId, spaceIds, groupIds }: LinkScope): Expression<SqlBool> {
  const parts: Array<Expression<SqlBool>> = [sql<SqlBool>`owner_id = ${ownerId}`]
  if (spaceIds.length > 0) parts.push(sql<SqlBool>`space_id in (${sql.join(spaceIds)})`)
  if (groupIds.length > 0) parts.push(sql<SqlBool>`group_id in (${sql.join(groupIds)})`)
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}

/** By what is known of the owners. */
function ownerConditions({
  ownerId,
  ownerText,
  departmentIds,
  scope,
}: Partial<LinkSearch>): Array<Expression<SqlBool>> {
  const parts: Array<Expression<SqlBool>> = []
  if (ownerId !== undefined) parts.push(sql<SqlBool>`owner_id = ${ownerId}`)
  if (ownerText !== undefined && ownerText !== '')
    parts.push(sql<SqlBool>`owner_id in (select id from users where instr(account_key, ${ownerText}) > 0)`)
  if (departmentIds !== undefined)
    parts.push(sql<SqlBool>`owner_id in (select id from users where department_id in (${sql.join(departmentIds)}))`)
  if (scope !== undefined) parts.push(isWithin(scope))
  return parts
}

function conditions(wanted: Omit<LinkSearch, 'orderBy' | 'order' | 'offset'>): Expression<SqlBool> {
  const { urlType, spaceId, status, target, text, from, until, now } = wanted
  const isOver = sql<SqlBool>`(lost_at > 0 or (expires_at <> ${NEVER_EXPIRES} and expires_at <= ${now}))`
  const byStatus = new Map<number, Expression<SqlBool>>([
    [LINK_STATUS.normal, sql`status <> ${LINK_STATUS.canceled} and not ${isOver}`],
    [LINK_STATUS.expired, sql`status <> ${LINK_STATUS.canceled} and ${isOver}`],
    [LINK_STATUS.canceled, sql`status = ${LINK_STATUS.canceled}`],
  ])
  const parts: Array<Expression<SqlBool>> = [sql<SqlBool>`1 = 1`, ...ownerConditions(wanted)]
  if (urlType !== undefined) parts.push(sql<SqlBool>`url_type = ${urlType}`)
  if (spaceId !== undefined) parts.push(sql<SqlBool>`space_id = ${spaceId}`)
  if (status !== undefined) parts.push(byStatus.get(status) ?? sql<SqlBool>`1 = 0`)
  if (target !== undefined) {
    const shared = sql<SqlBool>`path_hash = ${hashOfPath(target.path)} and is_lost = 0`
    // Virtual directories are a part of the personal files.
    const isPersonal = target.groupId === LIMITS.defaultGroupId
    parts.push(isPersonal ? sql<SqlBool>`group_id <= 0` : sql<SqlBool>`group_id = ${target.groupId}`)
    parts.push(sql<SqlBool>`id in (select link_id from link_targets where ${shared})`)
  }
  if (text !== '') parts.push(sql<SqlBool>`search_text like ${`%${text.replaceAll(/[!%_]/g, '!$&')}%`} escape '!'`)
  if (from !== undefined) parts.push(sql<SqlBool>`created_at >= ${from}`)
  if (until !== undefined) parts.push(sql<SqlBool>`created_at < ${until}`)
  return sql.join(parts, sql` and `) as Expression<SqlBool>
}
