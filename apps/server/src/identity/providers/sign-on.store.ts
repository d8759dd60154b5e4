import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SignOnFlowRow, SignOnSessionRow } from './providers.schema.ts'

/** The only SQL over sign-ins at identity providers. */
export const signOnStore = {
  async addFlow(db: Db | Tx, row: SignOnFlowRow): Promise<void> {
    await db.insertInto('sign_on_flows').values(row).execute()
  },
  flow: (db: Db | Tx, stateHash: string): Promise<SignOnFlowRow | undefined> =>
    db.selectFrom('sign_on_flows').selectAll().where('state_hash', '=', stateHash).executeTakeFirst(),
  async keepPosted(
    db: Db | Tx,
    { stateHash, posted, now }: { readonly stateHash: string; readonly posted: string; readonly now: number },
  ): Promise<void> {
    const update = db.updateTable('sign_on_flows').set({ posted }).where('state_hash', '=', stateHash)
    await update.where('posted', 'is', null).where('expires_at', '>', now).execute()
  },
  /** @returns false when somebody was first */
  async takeFlow(db: Db | Tx, stateHash: string): Promise<boolean> {
    const result = await db.deleteFrom('sign_on_flows').where('state_hash', '=', stateHash).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
  async forgetFlows(db: Db | Tx, now: number): Promise<void> {
    await db.deleteFrom('sign_on_flows').where('expires_at', '<', now).execute()
  },
  async addSession(db: Db | Tx, row: SignOnSessionRow): Promise<void> {
    await db.insertInto('sign_on_sessions').values(row).execute()
  },
  session: (db: Db | Tx, sessionId: string): Promise<SignOnSessionRow | undefined> =>
    db.selectFrom('sign_on_sessions').selectAll().where('session_id', '=', sessionId).executeTakeFirst(),
  /** Sessions of a person at a provider, or the one of this name, that began before a time. */
  async sessionsOf(
    db: Db | Tx,
    providerId: number,
    { key, session, at }: { readonly key: string; readonly session: string; readonly at: number },
  ): Promise<ReadonlyArray<{ readonly id: string; readonly userId: string }>> {
    let query = db
      .selectFrom('sign_on_sessions')
      .innerJoin('sessions', 'sessions.id', 'sign_on_sessions.session_id')
      .select(['sessions.id', 'sessions.user_id as userId'])
      .where('sign_on_sessions.provider_id', '=', providerId)
      .where('sign_on_sessions.proven_at', '<=', at)
    if (key !== '') query = query.where('external_key', '=', key)
    if (session !== '') query = query.where('external_session', '=', session)
    return query.execute()
  },
}
