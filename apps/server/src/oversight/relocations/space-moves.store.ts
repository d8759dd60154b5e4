import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SpaceMoveRow } from './space-moves.schema.ts'

type Change = Partial<Pick<SpaceMoveRow, 'state' | 'error' | 'progress' | 'changed_at' | 'paused_server'>>

/** The only SQL over `space_moves`. */
export const spaceMovesStore = {
  of: (db: Db | Tx, spaceId: number): Promise<SpaceMoveRow | undefined> =>
    db.selectFrom('space_moves').selectAll().where('space_id', '=', spaceId).executeTakeFirst(),

  /** Those that are to go on, to or from a storage. */
  async isOpenOn(db: Db | Tx, storageId: number): Promise<boolean> {
    const row = await db
      .selectFrom('space_moves')
      .select('space_id')
      .where('to_storage', '=', storageId)
      .where('state', 'in', ['working', 'ordered'])
      .executeTakeFirst()
    return row !== undefined
  },

  /** Switches that the next start of the server carries out. */
  ordered: (db: Db): Promise<SpaceMoveRow[]> =>
    db.selectFrom('space_moves').selectAll().where('state', '=', 'ordered').orderBy('space_id').execute(),

  /** Ends an ordered switch. */
  async endOrdered(tx: Tx, spaceId: number, end: Change): Promise<void> {
    const update = tx.updateTable('space_moves').set(end).where('space_id', '=', spaceId)
    await update.where('state', '=', 'ordered').execute()
  },

  /** Within a transaction. @returns false when `before` is not what is there any more */
  async replace(tx: Tx, row: SpaceMoveRow, before: SpaceMoveRow | undefined): Promise<boolean> {
    if (before !== undefined) {
      const old = tx.deleteFrom('space_moves').where('space_id', '=', row.space_id)
      const gone = await old.where('job_id', '=', before.job_id).where('state', '=', before.state).executeTakeFirst()
      if (gone.numDeletedRows === 0n) return false
    }
    await tx.insertInto('space_moves').values(row).execute()
    return true
  },

  async remove(tx: Tx, spaceId: number): Promise<void> {
    await tx.deleteFrom('space_moves').where('space_id', '=', spaceId).execute()
  },

  /** Changes what the job works on. @returns false when it was paused, or is another job's by now */
  async changeWorking(
    db: Db | Tx,
    { space_id, job_id }: Pick<SpaceMoveRow, 'space_id' | 'job_id'>,
    change: Change,
  ): Promise<boolean> {
    const update = db.updateTable('space_moves').set(change).where('space_id', '=', space_id)
    const result = await update.where('job_id', '=', job_id).where('state', '=', 'working').executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
}
