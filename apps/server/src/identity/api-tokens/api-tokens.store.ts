import type { Db, Tx } from '../../kernel/db/index.ts'
import type { ApiTokenRow } from './api-tokens.schema.ts'

/** The only SQL over API tokens. */
export const apiTokensStore = {
  async insert(db: Db | Tx, row: ApiTokenRow): Promise<void> {
    await db.insertInto('api_tokens').values(row).execute()
  },
  byHash: (db: Db | Tx, hash: string): Promise<ApiTokenRow | undefined> =>
    db.selectFrom('api_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirst(),
  byId: (db: Db | Tx, id: string): Promise<ApiTokenRow | undefined> =>
    db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst(),
  /** Newest first. */
  ofUser: (db: Db | Tx, userId: string): Promise<ApiTokenRow[]> =>
    db.selectFrom('api_tokens').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute(),
  async touch(db: Db | Tx, id: string, at: number): Promise<void> {
    await db.updateTable('api_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
  },
  async remove(db: Db | Tx, userId: string, id: string): Promise<boolean> {
    const query = db.deleteFrom('api_tokens').where('user_id', '=', userId).where('id', '=', id)
    return (await query.executeTakeFirst()).numDeletedRows > 0n
  },
}
