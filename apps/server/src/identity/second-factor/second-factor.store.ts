import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SecondFactorRow } from './second-factor.schema.ts'

/** The only SQL over second factors and recovery codes. */
export const secondFactorStore = {
  byUser: (db: Db | Tx, userId: string): Promise<SecondFactorRow | undefined> =>
    db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst(),
  async replace(tx: Tx, row: SecondFactorRow): Promise<void> {
    await tx.deleteFrom('second_factors').where('user_id', '=', row.user_id).execute()
    await tx.insertInto('second_factors').values(row).execute()
  },
  /** Spends every step up to this one. @returns false when another call was first */
  async spendStep(db: Db | Tx, userId: string, step: number): Promise<boolean> {
    const result = await db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  /** @returns false when another call was first */
  async confirm(tx: Tx, userId: string): Promise<boolean> {
    const result = await tx
      .updateTable('second_factors')
      .set({ confirmed: 1 })
      .where('user_id', '=', userId)
      .where('confirmed', '=', 0)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async remove(tx: Tx, userId: string): Promise<void> {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  },
  async replaceCodes(tx: Tx, userId: string, hashes: readonly string[]): Promise<void> {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
    await tx.insertInto('recovery_codes').values(rows).execute()
  },
  /** @returns false when there is no such code, or another call was first */
  async spendCode(db: Db | Tx, userId: string, hash: string): Promise<boolean> {
    const query = db.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', '=', hash)
    return (await query.executeTakeFirst()).numDeletedRows > 0n
  },
  async codesLeft(db: Db | Tx, userId: string): Promise<number> {
    const rows = await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()
    return rows.length
  },
}
