import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SignInRow } from './sign-ins.schema.ts'

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
  async removeOlder(db: Db | Tx, before: number): Promise<void> {
    await db.deleteFrom('sign_ins').where('at', '<', before).execute()
  },
}
