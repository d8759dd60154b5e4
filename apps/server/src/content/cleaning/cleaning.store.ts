import type { Db, Tx } from '../../kernel/db/index.ts'
import type { AccessRow, CleaningRow, MovedRow } from './cleaning.schema.ts'

type RoundFacts = Pick<CleaningRow, 'ran_at' | 'files' | 'bytes' | 'skipped'>
type Tree = Pick<AccessRow, 'owner_id' | 'space_id' | 'group_id'>

const HASHES_AT_ONCE = 200

/** The only SQL over the cleaning of storages and the times at which files were opened. */
export const cleaningStore = {
  all: (db: Db | Tx): Promise<CleaningRow[]> =>
    db.selectFrom('storage_cleaning').selectAll().orderBy('storage_id').execute(),

  of: (db: Db | Tx, storageId: number): Promise<CleaningRow | undefined> =>
    db.selectFrom('storage_cleaning').selectAll().where('storage_id', '=', storageId).executeTakeFirst(),

  async put(tx: Tx, row: CleaningRow): Promise<void> {
    await cleaningStore.remove(tx, row.storage_id)
    await tx.insertInto('storage_cleaning').values(row).execute()
  },

  async remove(tx: Tx, storageId: number): Promise<void> {
    await tx.deleteFrom('storage_cleaning').where('storage_id', '=', storageId).execute()
  },

  async change(tx: Db | Tx, storageId: number, change: Partial<Omit<CleaningRow, 'storage_id'>>): Promise<number> {
    const update = tx.updateTable('storage_cleaning').set(change).where('storage_id', '=', storageId)
    return Number((await update.executeTakeFirst()).numUpdatedRows)
  },

  /** Ends a round; what was asked for after it began stays so. */
  async ran(tx: Tx, { storage_id: storageId, began_at: beganAt }: CleaningRow, round: RoundFacts): Promise<void> {
    await cleaningStore.change(tx, storageId, { ...round, began_at: null })
    await tx
      .updateTable('storage_cleaning')
      .set({ asked_at: null })
      .where('storage_id', '=', storageId)
      .where('asked_at', '<=', beganAt)
      .execute()
  },

  async addMoved(tx: Tx, row: MovedRow): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('cleaning_moved')
      .set((column) => ({
        files: column('files', '+', row.files),
        bytes: column('bytes', '+', row.bytes),
      }))
      .where('storage_id', '=', row.storage_id)
      .where('user_id', '=', row.user_id)
      .executeTakeFirst()
    if (Number(numUpdatedRows) === 0) await tx.insertInto('cleaning_moved').values(row).execute()
  },

  moved: (db: Db | Tx, storageId: number): Promise<MovedRow[]> =>
    db.selectFrom('cleaning_moved').selectAll().where('storage_id', '=', storageId).orderBy('user_id').execute(),

  async forgetMoved(tx: Tx, storageId: number): Promise<void> {
    await tx.deleteFrom('cleaning_moved').where('storage_id', '=', storageId).execute()
  },

  /** Notes the later time. */
  async note(tx: Tx, row: AccessRow): Promise<void> {
    await tx
      .deleteFrom('file_accesses')
      .where('owner_id', '=', row.owner_id)
      .where('space_id', '=', row.space_id)
      .where('group_id', '=', row.group_id)
      .where('path_hash', '=', row.path_hash)
      .execute()
    await tx.insertInto('file_accesses').values(row).execute()
  },

  /** Times by hash; those that are not known are left out. */
  async times(db: Db, tree: Tree, hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    for (let at = 0; at < hashes.length; at += HASHES_AT_ONCE) {
      const some = db
        .selectFrom('file_accesses')
        .select(['path_hash', 'at'])
        .where('owner_id', '=', tree.owner_id)
        .where('space_id', '=', tree.space_id)
        .where('group_id', '=', tree.group_id)
        .where('path_hash', 'in', hashes.slice(at, at + HASHES_AT_ONCE))
      for (const row of await some.execute()) times.set(row.path_hash, Number(row.at))
    }
    return times
  },

  async removeOlder(db: Db, before: number): Promise<void> {
    await db.deleteFrom('file_accesses').where('at', '<', before).execute()
  },
}
