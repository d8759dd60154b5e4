import type { Db } from '../../kernel/db/index.ts'

export interface SessionsFilter {
  /** Part of an account, folded; '' fits all. */
  readonly text: string
  readonly userId?: string | undefined
  /** Sessions without activity since then are over. */
  readonly seenSince: number
}

/** Everyone's sessions, as an administrator lists them. */
export const sessionsSearch = {
  async page(db: Db, filter: SessionsFilter, { page, size }: { readonly page: number; readonly size: number }) {
    const found = fitting(db, filter)
    const rows = await found
      .select(['sessions.id', 'sessions.user_id as userId', 'users.account', 'users.name', 'sessions.address'])
      .select(['sessions.user_agent as userAgent', 'sessions.created_at as createdAt'])
      .select(['sessions.last_seen_at as lastSeenAt'])
      .orderBy('sessions.last_seen_at', 'desc')
      .orderBy('sessions.id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  async byIds(db: Db, ids: readonly string[]) {
    return db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id', 'sessions.user_id as userId', 'users.account', 'sessions.address'])
      .where('sessions.id', 'in', ids)
      .execute()
  },
}

function fitting(db: Db, { text, userId, seenSince }: SessionsFilter) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.last_seen_at', '>', seenSince)
    .$if(userId !== undefined, (query) => query.where('sessions.user_id', '=', userId ?? ''))
    .$if(text !== '', (query) => query.where('users.account_key', 'like', `%${text.replaceAll(/[%\\]/g, '')}%`))
}
