import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SessionRow } from './sessions.schema.ts'

/** The only SQL over sessions and spent refresh tokens. */
export interface SessionsStore {
  insert(db: Db | Tx, row: SessionRow): Promise<void>
  /** By the token of the present pair, or of the one before it while the present one is unused. */
  byTokenHash(db: Db | Tx, tokenHash: string): Promise<SessionRow | undefined>
  /** By the refresh token, in the same way. */
  byRefreshHash(db: Db | Tx, refreshHash: string): Promise<SessionRow | undefined>
  byId(db: Db | Tx, id: string): Promise<SessionRow | undefined>
  byUser(db: Db | Tx, userId: string): Promise<SessionRow[]>
  touch(db: Db | Tx, id: string, at: number): Promise<void>
  /**
   * Gives the session its next pair and keeps the present one as the previous, or, when the present one was never used,
   * puts the next pair in its place.
   * @returns false when the session has changed since it was read
   */
  rotate(tx: Tx, rotation: Rotation): Promise<boolean>
  /** The present pair has arrived: the one before it is spent. */
  confirm(tx: Tx, session: SessionRow, at: number): Promise<void>
  /** Session that once spent this token. */
  spentBy(db: Db | Tx, hash: string): Promise<string | undefined>
  remove(db: Db | Tx, id: string): Promise<void>
  removeOfUser(db: Db | Tx, userId: string): Promise<void>
  /** Sessions idle since before `lastSeenBefore`, and spent tokens that old. @returns ids removed */
  removeIdle(db: Db | Tx, lastSeenBefore: number): Promise<string[]>
}

export interface Rotation {
  /** As it was read. */
  readonly session: SessionRow
  /** Whether the refresh token shown is the previous one, whose answer was lost. */
  readonly isAgain: boolean
  readonly tokenHash: string
  readonly refreshHash: string
  readonly at: number
}

export const sessionsStore: SessionsStore = {
  async insert(db, row) {
    await db.insertInto('sessions').values(row).execute()
  },
  byTokenHash: (db, tokenHash) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where(({ eb, or }) => or([eb('token_hash', '=', tokenHash), eb('previous_token_hash', '=', tokenHash)]))
      .executeTakeFirst(),
  byRefreshHash: (db, refreshHash) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where(({ eb, or }) => or([eb('refresh_hash', '=', refreshHash), eb('previous_refresh_hash', '=', refreshHash)]))
      .executeTakeFirst(),
  byId: (db, id) => db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),
  byUser: (db, userId) => db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute(),
  async touch(db, id, at) {
    await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
  },
  async rotate(tx, { session, isAgain, tokenHash, refreshHash, at }) {
    const { id, token_hash, refresh_hash, previous_refresh_hash } = session
    const previous = { previous_token_hash: token_hash, previous_refresh_hash: refresh_hash }
    const result = await tx
      .updateTable('sessions')
      .set({
        ...(isAgain ? {} : previous),
        ...{ token_hash: tokenHash, refresh_hash: refreshHash, last_seen_at: at },
      })
      .where('id', '=', id)
      .where('refresh_hash', '=', refresh_hash)
      .$if(isAgain, (query) => query.where('previous_refresh_hash', '=', previous_refresh_hash))
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) return false
    await noteSpent(tx, id, at, isAgain ? [token_hash, refresh_hash] : [previous_refresh_hash])
    return true
  },
  async confirm(tx, { id, token_hash, previous_refresh_hash }, at) {
    const result = await tx
      .updateTable('sessions')
      .set({ previous_token_hash: null, previous_refresh_hash: null })
      .where('id', '=', id)
      .where('token_hash', '=', token_hash)
      .where('previous_refresh_hash', '=', previous_refresh_hash)
      .executeTakeFirst()
    if (result.numUpdatedRows > 0n) await noteSpent(tx, id, at, [previous_refresh_hash])
  },
  async spentBy(db, hash) {
    const row = await db
      .selectFrom('spent_refresh_tokens')
      .select('session_id')
      .where('refresh_hash', '=', hash)
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

async function noteSpent(tx: Tx, sessionId: string, at: number, hashes: ReadonlyArray<string | null>): Promise<void> {
  const rows = hashes.flatMap((hash) =>
    hash === null ? [] : [{ refresh_hash: hash, session_id: sessionId, spent_at: at }],
  )
  if (rows.length > 0) await tx.insertInto('spent_refresh_tokens').values(rows).execute()
}
