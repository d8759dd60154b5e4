import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SessionRow } from './sessions.schema.ts'

/** The only SQL over sessions and spent refresh tokens. */
export interface SessionsStore {
  insert(db: Db | Tx, row: SessionRow): Promise<void>
  byTokenHash(db: Db | Tx, tokenHash: string): Promise<SessionRow | undefined>
  byRefreshHash(db: Db | Tx, refreshHash: string): Promise<SessionRow | undefined>
  byId(db: Db | Tx, id: string): Promise<SessionRow | undefined>
  byUser(db: Db | Tx, userId: string): Promise<SessionRow[]>
  touch(db: Db | Tx, id: string, at: number): Promise<void>
  /**
   * Replaces both hashes if the refresh hash is still the one given, and notes it as spent.
   * @returns false when another call was first
   */
  rotate(tx: Tx, rotation: Rotation): Promise<boolean>
  /** Session that once spent this refresh token. */
  spentBy(db: Db | Tx, refreshHash: string): Promise<string | undefined>
  remove(db: Db | Tx, id: string): Promise<void>
  removeOfUser(db: Db | Tx, userId: string): Promise<void>
  /** Sessions idle since before `lastSeenBefore`, and spent tokens that old. @returns ids removed */
  removeIdle(db: Db | Tx, lastSeenBefore: number): Promise<string[]>
}

export interface Rotation {
  readonly id: string
  readonly oldRefreshHash: string
  readonly tokenHash: string
  readonly refreshHash: string
  readonly at: number
}

export const sessionsStore: SessionsStore = {
  async insert(db, row) {
    await db.insertInto('sessions').values(row).execute()
  },
  byTokenHash: (db, tokenHash) =>
    db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst(),
  byRefreshHash: (db, refreshHash) =>
    db.selectFrom('sessions').selectAll().where('refresh_hash', '=', refreshHash).executeTakeFirst(),
  byId: (db, id) => db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),
  byUser: (db, userId) => db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute(),
  async touch(db, id, at) {
    await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
  },
  async rotate(tx, { id, oldRefreshHash, tokenHash, refreshHash, at }) {
    const result = await tx
      .updateTable('sessions')
      .set({ token_hash: tokenHash, refresh_hash: refreshHash, last_seen_at: at })
      .where('id', '=', id)
      .where('refresh_hash', '=', oldRefreshHash)
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) return false
    await tx
      .insertInto('spent_refresh_tokens')
      .values({ refresh_hash: oldRefreshHash, session_id: id, spent_at: at })
      .execute()
    return true
  },
  async spentBy(db, refreshHash) {
    const row = await db
      .selectFrom('spent_refresh_tokens')
      .select('session_id')
      .where('refresh_hash', '=', refreshHash)
      .executeTakeFirst()
    return row?.session_id
  },
  async remove(db, id) {
    await db.deleteFrom('sessions').where('id', '=', id).execute()
  },
  async removeOfUser(db, userId) {
    await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  },
  async removeIdle(db, lastSeenBefore) {
    const idle = await db.selectFrom('sessions').select('id').where('last_seen_at', '<', lastSeenBefore).execute()
    for (const { id } of idle) {
      await db.deleteFrom('sessions').where('id', '=', id).where('last_seen_at', '<', lastSeenBefore).execute()
    }
    await db.deleteFrom('spent_refresh_tokens').where('spent_at', '<', lastSeenBefore).execute()
    return idle.map(({ id }) => id)
  },
}
