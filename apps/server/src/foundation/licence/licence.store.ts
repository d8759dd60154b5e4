import type { Db, Tx } from '../../kernel/db/index.ts'
import type { LicencesTable } from './licence.schema.ts'

/** Earlier ones that are kept to look at. */
const KEPT = 20

/** The only SQL over `licences`. */
export const licencesStore = {
  newest: (db: Db | Tx, state: LicencesTable['state']): Promise<LicencesTable | undefined> =>
    db.selectFrom('licences').selectAll().where('state', '=', state).orderBy('id', 'desc').limit(1).executeTakeFirst(),
  /** The newest row of a licence that was installed before. */
  known: (tx: Tx, licenceId: string): Promise<LicencesTable | undefined> =>
    tx
      .selectFrom('licences')
      .selectAll()
      .where('licence_id', '=', licenceId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  async insert(tx: Tx, row: LicencesTable): Promise<void> {
    await tx.insertInto('licences').values(row).execute()
    const [oldest] = await tx.selectFrom('licences').select('id').orderBy('id', 'desc').offset(KEPT).limit(1).execute()
    if (oldest === undefined) return
    await tx.deleteFrom('licences').where('id', '<=', oldest.id).where('state', '=', 'past').execute()
  },
  async retire(tx: Tx, state: LicencesTable['state']): Promise<void> {
    await tx.updateTable('licences').set({ state: 'past' }).where('state', '=', state).execute()
  },
  async remind(tx: Tx, id: string, days: number): Promise<void> {
    await tx.updateTable('licences').set({ reminded_days: days }).where('id', '=', id).execute()
  },
  /**
   * Adds to the bytes that were used.
   * @param within what may be used in all; null: no end
   * @returns false when that would be too many
   */
  async use(db: Db, id: string, bytes: number, within: number | null): Promise<boolean> {
    const update = db
      .updateTable('licences')
      .set((value) => ({ used_bytes: value('used_bytes', '+', bytes) }))
      .where('id', '=', id)
    const fitting = within === null ? update : update.where('used_bytes', '<=', within - bytes)
    return (await fitting.executeTakeFirst()).numUpdatedRows > 0n
  },
  async usedBytes(db: Db, id: string): Promise<number> {
    const row = await db.selectFrom('licences').select('used_bytes').where('id', '=', id).executeTakeFirst()
    return Number(row?.used_bytes ?? 0)
  },
}
