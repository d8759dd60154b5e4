import type { Db, Tx } from '../../kernel/db/index.ts'
import type { ConnectionRow } from './connection.schema.ts'

const NAME = 'site'

/** The only SQL over the connection of an identity management. */
export const connectionStore = {
  get: (db: Db | Tx): Promise<ConnectionRow | undefined> =>
    db.selectFrom('scim_connections').selectAll().where('name', '=', NAME).executeTakeFirst(),
  /** @returns false when somebody was first */
  async changeAt(tx: Tx, { revision, ...row }: Omit<ConnectionRow, 'name'>): Promise<boolean> {
    if (revision === 0) {
      const known = await connectionStore.get(tx)
      if (known !== undefined) return false
      await tx
        .insertInto('scim_connections')
        .values({ ...row, name: NAME, revision: 1 })
        .execute()
      return true
    }
    const update = tx.updateTable('scim_connections').set({ ...row, revision: revision + 1 })
    const result = await update.where('name', '=', NAME).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async used(db: Db, now: number): Promise<void> {
    await db.updateTable('scim_connections').set({ used_at: now }).where('name', '=', NAME).execute()
  },
}
