import type { Db, Tx } from '../../kernel/db/index.ts'
import type { CodeRow } from './codes.schema.ts'

/** One code: at most one for each purpose and subject. */
export type CodeKey = Pick<CodeRow, 'purpose' | 'subject'>

/** The only SQL over `email_codes` and `password_resets`. */
export interface CodesStore {
  of(db: Db | Tx, key: CodeKey): Promise<CodeRow | undefined>
  put(tx: Tx, row: CodeRow): Promise<void>
  /** Takes one try of a code that was sent and still counts. @returns false when there is none, or no try is left */
  takeTry(db: Db, key: CodeKey, limits: { readonly tries: number; readonly now: number }): Promise<boolean>
  /** @returns false when another call was first */
  spend(db: Db, row: CodeRow): Promise<boolean>
  addReset(db: Db, reset: { token_hash: string; user_id: string; expires_at: number }): Promise<void>
  resetBy(db: Db, tokenHash: string, now: number): Promise<string | undefined>
  /** @returns false when another call was first */
  spendReset(tx: Tx, tokenHash: string): Promise<boolean>
  removeExpired(db: Db, now: number): Promise<void>
}

export const codesStore: CodesStore = {
  of: (db, { purpose, subject }) =>
    db
      .selectFrom('email_codes')
      .selectAll()
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .executeTakeFirst(),
  async put(tx, row) {
    await tx.deleteFrom('email_codes').where('purpose', '=', row.purpose).where('subject', '=', row.subject).execute()
    await tx.insertInto('email_codes').values(row).execute()
  },
  async takeTry(db, { purpose, subject }, { tries, now }) {
    const taken = await db
      .updateTable('email_codes')
      .set((set) => ({ tries: set('tries', '+', 1) }))
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('sent_at', '>', 0)
      .where('tries', '<', tries)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return taken.numUpdatedRows > 0n
  },
  async spend(db, { purpose, subject, code_mac: codeMac }) {
    const spent = await db
      .deleteFrom('email_codes')
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('code_mac', '=', codeMac)
      .executeTakeFirst()
    return spent.numDeletedRows > 0n
  },
  async addReset(db, reset) {
    await db.insertInto('password_resets').values(reset).execute()
  },
  async resetBy(db, tokenHash, now) {
    const row = await db
      .selectFrom('password_resets')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row?.user_id
  },
  async spendReset(tx, tokenHash) {
    const spent = await tx.deleteFrom('password_resets').where('token_hash', '=', tokenHash).executeTakeFirst()
    return spent.numDeletedRows > 0n
  },
  async removeExpired(db, now) {
    await db.deleteFrom('email_codes').where('expires_at', '<=', now).execute()
    await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  },
}
