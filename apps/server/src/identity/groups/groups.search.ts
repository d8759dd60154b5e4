import type { Db } from '../../kernel/db/index.ts'
import type { GroupRow } from './groups.schema.ts'

export interface GroupsPage {
  /** Part of the name, folded; '' fits all. */
  readonly text: string
  readonly spaceId?: number | undefined
  /** Left out: all groups. */
  readonly ids?: readonly number[] | undefined
  readonly page: number
  readonly size: number
  readonly sort: 'name' | 'created'
  readonly order: 'asc' | 'desc'
}

/** Groups as a console lists them. */
export const groupsSearch = {
  byIds: (db: Db, ids: readonly number[]): Promise<GroupRow[]> =>
    ids.length === 0 ? Promise.resolve([]) : db.selectFrom('user_groups').selectAll().where('id', 'in', ids).execute(),
  async page(db: Db, wanted: GroupsPage): Promise<{ readonly rows: GroupRow[]; readonly total: number }> {
    const { text, spaceId, ids, page, size, sort, order } = wanted
    if (ids?.length === 0) return { rows: [], total: 0 }
    const found = db
      .selectFrom('user_groups')
      .$if(text !== '', (query) => query.where('name_key', 'like', `%${text.replaceAll(/[%_\\]/g, '')}%`))
      .$if(spaceId !== undefined, (query) => query.where('space_id', '=', spaceId ?? 0))
      .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    const rows = await found
      .selectAll()
      .orderBy(sort === 'name' ? 'name_key' : 'created_at', order)
      .orderBy('id', order)
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  async members(db: Db, wanted: { groupId: number; text: string; page: number; size: number }) {
    const found = db
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .where('group_id', '=', wanted.groupId)
      .$if(wanted.text !== '', (query) =>
        query.where('account_key', 'like', `%${wanted.text.replaceAll(/[%\\]/g, '')}%`),
      )
    const rows = await found
      .select(['users.id', 'users.account', 'users.name', 'users.email'])
      .select(['group_members.permission', 'group_members.is_admin'])
      .orderBy('account_key')
      .limit(wanted.size)
      .offset((wanted.page - 1) * wanted.size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  async memberCounts(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('group_members')
      .select(['group_id', (select) => select.fn.countAll<number>().as('n')])
      .where('group_id', 'in', ids)
      .groupBy('group_id')
      .execute()
    return new Map(rows.map(({ group_id: id, n }) => [id, Number(n)]))
  },
  async administrators(db: Db, ids: readonly number[]) {
    if (ids.length === 0) return []
    return db
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .select(['group_members.group_id as groupId', 'users.id', 'users.account'])
      .where('group_members.group_id', 'in', ids)
      .where('group_members.is_admin', '=', 1)
      .orderBy('users.account_key')
      .execute()
  },
}
