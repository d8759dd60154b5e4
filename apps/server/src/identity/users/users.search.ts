import { sql, type ExpressionBuilder, type Expression, type SqlBool } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import { foldCase } from './users.policy.ts'
import type { UserRow } from './users.schema.ts'

export type UserSort = 'account' | 'name' | 'email' | 'created' | 'lastSignIn'

export interface UserFilter {
  /** Part of account, name or e-mail; case does not matter. */
  readonly text?: string | undefined
  /** The whole account; case does not matter. */
  readonly account?: string | undefined
  readonly state?: 'online' | 'locked' | 'active' | undefined
  readonly type?: number | undefined
  readonly departmentId?: number | undefined
  readonly groupId?: number | undefined
}

export interface UserPage {
  readonly page: number
  readonly size: number
  readonly sort: UserSort
  readonly order: 'asc' | 'desc'
  /** A session seen since then makes an account online. */
  readonly seenSince: number
}

export interface PeopleSearch {
  readonly spaceIds: readonly number[]
  /** Whoever searches. */
  readonly except: string
  /** Unix milliseconds. */
  readonly now: number
  /** Only these. */
  readonly ids?: readonly string[]
  /** Part of account, name or e-mail. */
  readonly text?: string
  /** The whole account, folded. */
  readonly account?: string
  readonly limit?: number
}

/** Each has an index that ends with the id, so that a page is read and not sorted. */
const COLUMNS = {
  account: 'account_key',
  name: 'name',
  email: 'email_key',
  created: 'created_at',
  lastSignIn: 'last_sign_in_at',
} as const satisfies Readonly<Record<UserSort, keyof UserRow>>

/** Accounts by what an administrator knows of them. */
export const usersSearch = {
  async page(
    db: Db,
    filter: UserFilter,
    { page, size, sort, order, seenSince }: UserPage,
  ): Promise<{ readonly rows: UserRow[]; readonly total: number }> {
    const found = db.selectFrom('users').where((where) => fits(where, filter, seenSince))
    const ids = await found
      .select('id')
      .orderBy(COLUMNS[sort], order)
      // An account has its name to itself: without another order, the index of the search gives the page.
      .$if(sort !== 'account', (query) => query.orderBy('id', order))
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const known = await usersSearch.byIds(
      db,
      ids.map(({ id }) => id),
    )
    const byId = new Map(known.map((user) => [user.id, user]))
    const rows = ids.flatMap(({ id }) => byId.get(id) ?? [])
    // A page that is not full is the last one.
    const isLast = ids.length < size && (ids.length > 0 || page === 1)
    return { rows, total: isLast ? (page - 1) * size + ids.length : await usersSearch.count(db, filter, seenSince) }
  },
  async count(db: Db, filter: UserFilter, seenSince: number): Promise<number> {
    const row = await db
      .selectFrom('users')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where((where) => fits(where, filter, seenSince))
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  },
  /** By account, at most `limit`. */
  all: (db: Db | Tx, filter: UserFilter, { seenSince, limit }: { seenSince: number; limit: number }) =>
    db
      .selectFrom('users')
      .selectAll()
      .where((where) => fits(where, filter, seenSince))
      .orderBy('account_key')
      .limit(limit)
      .execute(),
  /** By account, from behind one on. */
  after: (
    db: Db,
    filter: UserFilter,
    { seenSince, after, limit }: { seenSince: number; after: string; limit: number },
  ) =>
    db
      .selectFrom('users')
      .selectAll()
      .where((where) => fits(where, filter, seenSince))
      .where('account_key', '>', after)
      .orderBy('account_key')
      .limit(limit)
      .execute(),
  byIds: (db: Db | Tx, ids: readonly string[]): Promise<UserRow[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : db.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('account_key').execute(),
  /** Accounts that may sign in now and are members of any of these spaces, by account. */
  async inSpaces(db: Db | Tx, wanted: PeopleSearch): Promise<UserRow[]> {
    const { spaceIds, except, now, ids, text, account, limit } = wanted
    if (spaceIds.length === 0 || ids?.length === 0) return []
    return db
      .selectFrom('users')
      .selectAll()
      .where((where) =>
        where(
          'id',
          'in',
          where.selectFrom('space_members').select('space_members.user_id').where('space_id', 'in', spaceIds),
        ),
      )
      .where('id', '!=', except)
      .where('locked', '=', 0)
      .where((where) => where.or([where('valid_from', 'is', null), where('valid_from', '<=', now)]))
      .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', now)]))
      .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
      .$if(text !== undefined, (query) => query.where((where) => hasText(where, text ?? '')))
      .$if(account !== undefined, (query) => query.where('account_key', '=', account ?? ''))
      .orderBy('account_key')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute()
  },
  async countByDepartment(db: Db): Promise<ReadonlyMap<number, number>> {
    const rows = await db
      .selectFrom('users')
      .select(['department_id', (select) => select.fn.countAll<number>().as('n')])
      .where('department_id', 'is not', null)
      .groupBy('department_id')
      .execute()
    return new Map(rows.map(({ department_id: id, n }) => [Number(id), Number(n)]))
  },
  /** Which of these accounts have a session seen since then. */
  async online(db: Db, ids: readonly string[], seenSince: number): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const rows = await db
      .selectFrom('sessions')
      .select('user_id')
      .distinct()
      .where('user_id', 'in', ids)
      .where('last_seen_at', '>', seenSince)
      .execute()
    return new Set(rows.map(({ user_id: userId }) => userId))
  },
}

function fits(
  where: ExpressionBuilder<Tables, 'users'>,
  { text, account, state, type, departmentId, groupId }: UserFilter,
  seenSince: number,
): Expression<SqlBool> {
  const all: Array<Expression<SqlBool>> = [sql<SqlBool>`1 = 1`]
  if (text !== undefined && text !== '') all.push(hasText(where, text))
  if (account !== undefined) all.push(where('account_key', '=', foldCase(account)))
  if (state === 'locked') all.push(where('locked', '=', 1))
  if (state === 'active') all.push(where('locked', '=', 0))
  if (state === 'online') {
    const seen = where.selectFrom('sessions').select('sessions.user_id').where('last_seen_at', '>', seenSince)
    all.push(where('id', 'in', seen))
  }
  if (type !== undefined) all.push(where('account_type', '=', type))
  if (departmentId !== undefined) all.push(where('department_id', '=', departmentId))
  if (groupId !== undefined) {
    const members = where.selectFrom('group_members').select('group_members.user_id').where('group_id', '=', groupId)
    all.push(where('id', 'in', members))
  }
  return where.and(all)
}

function hasText(where: ExpressionBuilder<Tables, 'users'>, text: string): Expression<SqlBool> {
  const wanted = foldCase(text)
  // Not `like`, which takes three times as long over many rows and gives `%` and `_` a meaning.
  return where.or([
    sql<SqlBool>`instr(account_key, ${wanted}) > 0`,
    sql<SqlBool>`instr(email_key, ${wanted}) > 0`,
    sql<SqlBool>`instr(lower(name), ${wanted}) > 0`,
  ])
}
