import type { Db, Tx } from '../../kernel/db/index.ts'
import type { PasskeyRow } from './passkeys.schema.ts'

/** The only SQL over passkeys. */
export const passkeysStore = {
  async insert(db: Db | Tx, row: PasskeyRow): Promise<void> {
    await db.insertInto('passkeys').values(row).execute()
  },
  byCredential: (db: Db | Tx, hash: string): Promise<PasskeyRow | undefined> =>
    db.selectFrom('passkeys').selectAll().where('credential_hash', '=', hash).executeTakeFirst(),
  ofUser: (db: Db | Tx, userId: string): Promise<PasskeyRow[]> =>
    db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
  /** @returns false when it was used meanwhile, or is gone */
  async use(db: Db | Tx, row: PasskeyRow, { counter, at }: { counter: number; at: number }): Promise<boolean> {
    const result = await db
      .updateTable('passkeys')
      .set({ counter, last_used_at: at })
      .where('id', '=', row.id)
      .where('counter', '=', row.counter)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  /** @returns false when the account has no such passkey */
  async rename(tx: Tx, userId: string, { id, name }: { readonly id: string; readonly name: string }): Promise<boolean> {
    const isOwn = (await passkeysStore.ofUser(tx, userId)).some((row) => row.id === id)
    if (isOwn) await tx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
    return isOwn
  },
  async remove(db: Db | Tx, userId: string, id: string): Promise<boolean> {
    const query = db.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id)
    return (await query.executeTakeFirst()).numDeletedRows > 0n
  },
}
