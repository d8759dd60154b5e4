import { LINK_STATUS, type LinkGroup, type LinkPerson } from '@godwit/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'

/** People and groups of the site, by their ids. */
export interface Named {
  readonly userIds: readonly string[]
  readonly groupIds: readonly number[]
}

export interface ReceivedSearch {
  readonly userId: string
  /** Lower case. */
  readonly text: string
  readonly orderBy: 'label' | 'created_at' | 'expires_at'
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** The only SQL over `link_people`, `link_groups` and `link_openings`. */
export const audienceStore = {
  async namedBy(db: Db | Tx, linkId: string): Promise<Named> {
    const users = await db.selectFrom('link_people').select('user_id').where('link_id', '=', linkId).execute()
    const groups = await db.selectFrom('link_groups').select('group_id').where('link_id', '=', linkId).execute()
    return { userIds: users.map(({ user_id: id }) => id), groupIds: groups.map(({ group_id: id }) => id) }
  },

  async put(tx: Tx, linkId: string, { userIds, groupIds }: Named): Promise<void> {
    await tx.deleteFrom('link_people').where('link_id', '=', linkId).execute()
    await tx.deleteFrom('link_groups').where('link_id', '=', linkId).execute()
    if (userIds.length > 0) {
      const rows = userIds.map((id) => ({ link_id: linkId, user_id: id }))
      await tx.insertInto('link_people').values(rows).execute()
    }
    if (groupIds.length > 0) {
      const rows = groupIds.map((id) => ({ link_id: linkId, group_id: id }))
      await tx.insertInto('link_groups').values(rows).execute()
    }
  },

  /** Whether a link names an account, or a group that it is a member of now. */
  async includes(db: Db | Tx, linkId: string, userId: string): Promise<boolean> {
    const { rows } = await sql<{ readonly n: number }>`
      select 1 as n from link_people where link_id = ${linkId} and user_id = ${userId}
      union all
      select 1 as n from link_groups join group_members on group_members.group_id = link_groups.group_id
      where link_groups.link_id = ${linkId} and group_members.user_id = ${userId}
      limit 1`.execute(db)
    return rows.length > 0
  },

  /** Whom links name, by account and by name. */
  async people(db: Db, linkIds: readonly string[]): Promise<Array<LinkPerson & { readonly linkId: string }>> {
    if (linkIds.length === 0) return []
    return db
      .selectFrom('link_people')
      .innerJoin('users', 'users.id', 'link_people.user_id')
      .select(['link_people.link_id as linkId', 'users.id', 'users.account', 'users.name'])
      .where('link_people.link_id', 'in', linkIds)
      .orderBy('users.account_key')
      .execute()
  },

  async groups(db: Db, linkIds: readonly string[]): Promise<Array<LinkGroup & { readonly linkId: string }>> {
    if (linkIds.length === 0) return []
    return db
      .selectFrom('link_groups')
      .innerJoin('user_groups', 'user_groups.id', 'link_groups.group_id')
      .select(['link_groups.link_id as linkId', 'user_groups.id', 'user_groups.name'])
      .where('link_groups.link_id', 'in', linkIds)
      .orderBy('user_groups.name_key')
      .execute()
  },

  /** Links that others made for an account. @returns ids of one page, in its order */
  async received(db: Db, wanted: ReceivedSearch): Promise<{ readonly ids: string[]; readonly total: number }> {
    const { userId, text, orderBy, order } = wanted
    // Not one union of both: MySQL would run it for each link instead of once.
    const isFor = sql<SqlBool>`(audience = 'everyone' or (audience = 'named' and (
      id in (select link_id from link_people where user_id = ${userId})
      or id in (select link_id from link_groups join group_members on group_members.group_id = link_groups.group_id
        where group_members.user_id = ${userId}))))`
    const pattern = `%${text.replaceAll(/[!%_]/g, '!$&')}%`
    const hasText = sql<SqlBool>`(search_text like ${pattern} escape '!'
      or owner_id in (select id from users where instr(account_key, ${text}) > 0))`
    const found = db
      .selectFrom('links')
      .where(() => isFor)
      .where('owner_id', '!=', userId)
      .where('status', '!=', LINK_STATUS.canceled)
      .$if(text !== '', (query) => query.where(() => hasText))
    const [{ total }, page] = await Promise.all([
      found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      found
        .select('id')
        .orderBy(orderBy, order)
        .orderBy('id', order)
        .limit(wanted.limit)
        .offset(wanted.offset)
        .execute(),
    ])
    return { ids: page.map(({ id }) => id), total: Number(total) }
  },

  /** Notes that an account opened a link. */
  async noteOpening(
    { tx, dialect }: { readonly tx: Tx; readonly dialect: DialectName },
    { linkId, userId, at }: { readonly linkId: string; readonly userId: string; readonly at: number },
  ): Promise<void> {
    const insert = tx
      .insertInto('link_openings')
      .values({ link_id: linkId, user_id: userId, opened_at: at, last_at: at })
    await (
      dialect === 'mysql'
        ? insert.onDuplicateKeyUpdate({ last_at: at })
        : insert.onConflict((conflict) => conflict.columns(['link_id', 'user_id']).doUpdateSet({ last_at: at }))
    ).execute()
  },

  /** Who a link is for, by account, and when each opened it first; those who opened one for everyone. */
  async readers(
    db: Db | Tx,
    linkId: string,
    limit: number,
  ): Promise<Array<LinkPerson & { readonly openedAt: number }>> {
    const { rows } = await sql<LinkPerson & { readonly openedAt: number | null }>`
      select users.id, users.account, users.name, link_openings.opened_at as ${sql.ref('openedAt')}
      from users left join link_openings on link_openings.user_id = users.id and link_openings.link_id = ${linkId}
      where users.id in (select user_id from link_people where link_id = ${linkId})
        or users.id in (select group_members.user_id from link_groups
          join group_members on group_members.group_id = link_groups.group_id where link_groups.link_id = ${linkId})
        or link_openings.link_id is not null
      order by users.account_key limit ${limit}`.execute(db)
    return rows.map(({ openedAt, ...person }) => ({ ...person, openedAt: Number(openedAt ?? 0) }))
  },

  /** When an account opened each of these links last, Unix milliseconds. */
  async openedBy(db: Db, userId: string, linkIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (linkIds.length === 0) return new Map()
    const rows = await db
      .selectFrom('link_openings')
      .select(['link_id', 'last_at'])
      .where('user_id', '=', userId)
      .where('link_id', 'in', linkIds)
      .execute()
    return new Map(rows.map((row) => [row.link_id, Number(row.last_at)]))
  },
}
