import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SignInRow } from './sign-ins.schema.ts'

export interface SignInsFilter {
  /** Part of an account, folded; '' fits all. */
  readonly text: string
  readonly userId?: string | undefined
  /** Whatever else is asked, nobody but this one. */
  readonly onlyUserId: string | undefined
  readonly result?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The only SQL over the history of sign-ins. */
export const signInsStore = {
  async insert(db: Db | Tx, row: SignInRow): Promise<void> {
    await db.insertInto('sign_ins').values(row).execute()
  },
  /** Newest first. @param page from 1 on */
  page: (db: Db | Tx, userId: string, { page, size }: { page: number; size: number }): Promise<SignInRow[]> =>
    db
      .selectFrom('sign_ins')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
  async count(db: Db | Tx, userId: string): Promise<number> {
    const row = await db
      .selectFrom('sign_ins')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  },
  /** Everyone's, newest first, with the accounts' names. */
  async search(db: Db, filter: SignInsFilter, { page, size }: { page: number; size: number }) {
    const { text, userId, onlyUserId, result, from, to } = filter
    const found = db
      .selectFrom('sign_ins')
      .innerJoin('users', 'users.id', 'sign_ins.user_id')
      .$if(text !== '', (query) => query.where('account_key', 'like', `%${text.replaceAll(/[%\\]/g, '')}%`))
      .$if(userId !== undefined, (query) => query.where('sign_ins.user_id', '=', userId ?? ''))
      .$if(onlyUserId !== undefined, (query) => query.where('sign_ins.user_id', '=', onlyUserId ?? ''))
      .$if(result !== undefined, (query) => query.where('sign_ins.result', '=', result ?? ''))
      .$if(from !== undefined, (query) => query.where('sign_ins.at', '>=', from ?? 0))
      .$if(to !== undefined, (query) => query.where('sign_ins.at', '<', to ?? 0))
    const rows = await found
      .selectAll('sign_ins')
      .select(['users.account', 'users.name'])
      // Ids grow with time.
      .orderBy('sign_ins.id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  /** Oldest first, those behind one, with the accounts' names as far as there are accounts still. @param until Unix milliseconds */
  after: (db: Db, id: string, { until, limit }: { readonly until: number; readonly limit: number }) =>
    db
      .selectFrom('sign_ins')
      .leftJoin('users', 'users.id', 'sign_ins.user_id')
      .selectAll('sign_ins')
      .select('users.account')
      .where('sign_ins.id', '>', id)
      .where('sign_ins.at', '<=', until)
      .orderBy('sign_ins.id')
      .limit(limit)
      .execute(),
  /** '' when there is none. */
  async lastIdBefore(db: Db, at: number): Promise<string> {
    const row = await db
      .selectFrom('sign_ins')
      .select('id')
      .where('at', '<', at)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.id ?? ''
  },
  async countAfter(db: Db, id: string): Promise<number> {
    const row = await db
      .selectFrom('sign_ins')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('id', '>', id)
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  },
  async removeOlder(db: Db | Tx, before: number): Promise<void> {
    await db.deleteFrom('sign_ins').where('at', '<', before).execute()
  },
}
