import type { FileFailure } from '@godwit/transfer'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import type { Bound, TransferRow } from './transfers.schema.ts'
import { CONNECTED_STATES, LIVE_STATES, RESTING_STATES } from './transfers.machine.ts'

export type TransferChange = Partial<Omit<TransferRow, 'id' | 'user_id' | 'created_at'>>

/** Failed files of a transfer that are written down. */
const FILES_MAX = 1_000
const FILES_PER_INSERT = 100
const FORGET_AT_ONCE = 500

/** The only SQL over `transfers` and `transfer_files`, but for the console's list. */
export const transfersStore = {
  async insert(db: Db | Tx, row: TransferRow): Promise<void> {
    await db.insertInto('transfers').values(row).execute()
  },

  byId(db: Db | Tx, id: string): Promise<TransferRow | undefined> {
    return db.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst()
  },

  /** Changes it if it is still in the state that the caller saw. @returns whether it was */
  async change(
    db: Db | Tx,
    { id, state }: Pick<TransferRow, 'id' | 'state'>,
    change: TransferChange,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('transfers')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', state)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Binds it to another credential of its account if it is bound as the caller saw. @returns whether it was */
  async bind(db: Db | Tx, row: TransferRow, { session_id, api_token_id, stamp }: Bound): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('transfers')
      .set({ session_id, api_token_id, stamp })
      .where('id', '=', row.id)
      .where('session_id', '=', row.session_id)
      .where('api_token_id', '=', row.api_token_id)
      .where('stamp', '=', row.stamp)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Those that say they are connected and that nobody has touched for long: their process is gone. */
  silent(db: Db, before: number): Promise<TransferRow[]> {
    return db
      .selectFrom('transfers')
      .selectAll()
      .where('state', 'in', CONNECTED_STATES)
      .where('updated_at', '<', before)
      .limit(100)
      .execute()
  },

  /** Running transfers that were asked for with one of these API tokens, the newest first. */
  async runningOf(db: Db, apiTokenIds: readonly string[]) {
    if (apiTokenIds.length === 0) return []
    return db
      .selectFrom('transfers')
      .select(['id as transferId', 'label as name', 'api_token_id as apiTokenId', 'bytes_per_second as bytesPerSecond'])
      .where('state', '=', 'running')
      .where('api_token_id', 'in', apiTokenIds)
      .orderBy('id', 'desc')
      .execute()
  },

  async noteTask(db: Db, id: string, task: string): Promise<void> {
    await db.updateTable('transfers').set({ task }).where('id', '=', id).execute()
  },

  /** Whether another transfer of the account works, or may go on, with what has arrived of the task. */
  async hasOtherOfTask(
    db: Db,
    { id, user_id: userId, task }: Pick<TransferRow, 'id' | 'user_id' | 'task'>,
  ): Promise<boolean> {
    const ofTask = db.selectFrom('transfers').select('id').where('user_id', '=', userId).where('task', '=', task)
    const others = ofTask.where('state', 'in', LIVE_STATES).where('id', '!=', id).limit(1)
    return (await others.executeTakeFirst()) !== undefined
  },

  past(db: Db, now: number): Promise<TransferRow[]> {
    return db
      .selectFrom('transfers')
      .selectAll()
      .where('state', 'in', RESTING_STATES)
      .where('expires_at', '<', now)
      .limit(100)
      .execute()
  },

  async replaceFiles(db: Db, id: string, failures: readonly FileFailure[]): Promise<void> {
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('transfer_files').where('transfer_id', '=', id).execute()
      const rows = failures.slice(0, FILES_MAX).map(({ path, code }, seq) => ({
        ...{ transfer_id: id, seq, path, code: code.slice(0, 64) },
      }))
      for (let at = 0; at < rows.length; at += FILES_PER_INSERT)
        await tx
          .insertInto('transfer_files')
          .values(rows.slice(at, at + FILES_PER_INSERT))
          .execute()
    })
  },

  files(db: Db, id: string): Promise<FileFailure[]> {
    const files = db.selectFrom('transfer_files').select(['path', 'code']).where('transfer_id', '=', id)
    return files.orderBy('seq').execute()
  },

  /** @returns how many that ended before were removed; there may be more */
  async forget(db: Db, before: number): Promise<number> {
    const old = await db
      .selectFrom('transfers')
      .select('id')
      .where('finished_at', '>', 0)
      .where('finished_at', '<', before)
      .orderBy('finished_at')
      .limit(FORGET_AT_ONCE)
      .execute()
    if (old.length === 0) return 0
    const ids = old.map(({ id }) => id)
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('transfer_files').where('transfer_id', 'in', ids).execute()
      await tx.deleteFrom('transfers').where('id', 'in', ids).execute()
    })
    return ids.length
  },
}
