import type { Db, Tx } from '../../kernel/db/index.ts'
import type { NoticeRow } from './notices.schema.ts'

/** The only SQL over `notices`. */
export interface NoticesStore {
  insert(tx: Tx, row: NoticeRow): Promise<void>
  insertAll(tx: Tx, rows: readonly NoticeRow[]): Promise<void>
  /** Newest first. */
  page(db: Db, userId: string, part: { readonly offset: number; readonly limit: number }): Promise<NoticeRow[]>
  count(db: Db, userId: string): Promise<number>
  countUnread(db: Db, userId: string): Promise<number>
  /** How many of these are the account's own. */
  countOwn(db: Db, userId: string, ids: readonly string[]): Promise<number>
  /** @returns how many were unread until now */
  markRead(db: Db | Tx, userId: string, read: { readonly ids: readonly string[]; readonly at: number }): Promise<number>
  /** Those of the account's own that are unread and of a kind. */
  unreadOfKind(db: Db | Tx, userId: string, wanted: { ids: readonly string[]; kind: string }): Promise<NoticeRow[]>
  /** Read ones from before `readBefore`, and all from before `before`. */
  purge(db: Db, limits: { readonly readBefore: number; readonly before: number }): Promise<void>
}

export const noticesStore: NoticesStore = {
  async insert(tx, row) {
    await tx.insertInto('notices').values(row).execute()
  },
  async insertAll(tx, rows) {
    if (rows.length > 0) await tx.insertInto('notices').values(rows).execute()
  },
  page: (db, userId, { offset, limit }) =>
    db
      .selectFrom('notices')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  count: (db, userId) => counted(ofUser(db, userId)),
  countUnread: (db, userId) => counted(ofUser(db, userId).where('read_at', 'is', null)),
  countOwn: (db, userId, ids) => counted(ofUser(db, userId).where('id', 'in', ids)),
  async markRead(db, userId, { ids, at }) {
    const update = db
      .updateTable('notices')
      .set({ read_at: at })
      .where('user_id', '=', userId)
      .where('id', 'in', ids)
      .where('read_at', 'is', null)
    return Number((await update.executeTakeFirst()).numUpdatedRows)
  },
  unreadOfKind: (db, userId, { ids, kind }) =>
    db
      .selectFrom('notices')
      .selectAll()
      .where('user_id', '=', userId)
      .where('id', 'in', ids)
      .where('kind', '=', kind)
      .where('read_at', 'is', null)
      .execute(),
  async purge(db, { readBefore, before }) {
    await db.deleteFrom('notices').where('read_at', '<', readBefore).execute()
    await db.deleteFrom('notices').where('created_at', '<', before).execute()
  },
}

function ofUser(db: Db, userId: string) {
  return db
    .selectFrom('notices')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
}

async function counted(query: ReturnType<typeof ofUser>): Promise<number> {
  return Number((await query.executeTakeFirst())?.n ?? 0)
}
