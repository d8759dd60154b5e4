import type { Selectable } from 'kysely'
import { bucketOf } from '../../quotas/index.ts'
import type { Db, Tx } from '../../../kernel/db/index.ts'

interface FileStepsTable {
  id: string
  /** What the bytes are booked to. */
  bucket: string
  /** The job that takes it, '' when none. */
  job_id: string
  /** Which path of the job is done with it; -1 when it is only a part of one. */
  job_at: number
  /**
   * begun: the storage may have taken it or not
   * booked: taken and in the books; recorded hashes are still on their way
   * done: kept until the job has a note of its own
   */
  state: 'begun' | 'booked' | 'done'
  reserved_bytes: number
  /** See steps.ts; JSON. */
  step: string
  created_at: number
}

declare module '../../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_steps: FileStepsTable
  }
}

export type StepRow = Selectable<FileStepsTable>

/** The only SQL over `file_steps`. */
export const stepsStore = {
  async insert(tx: Tx, row: StepRow): Promise<void> {
    await tx.insertInto('file_steps').values(row).execute()
  },

  byId(db: Db | Tx, id: string): Promise<StepRow | undefined> {
    return db.selectFrom('file_steps').selectAll().where('id', '=', id).executeTakeFirst()
  },

  all(db: Db): Promise<StepRow[]> {
    return db.selectFrom('file_steps').selectAll().orderBy('id').execute()
  },

  ofJob(db: Db, jobId: string): Promise<StepRow[]> {
    return db.selectFrom('file_steps').selectAll().where('job_id', '=', jobId).orderBy('id').execute()
  },

  /** @returns false when it is in another state, or gone */
  async change(
    db: Db | Tx,
    id: string,
    { from, to }: { readonly from: StepRow['state']; readonly to: StepRow['state'] },
  ): Promise<boolean> {
    const update = db.updateTable('file_steps').set({ state: to, reserved_bytes: 0 }).where('id', '=', id)
    return (await update.where('state', '=', from).executeTakeFirst()).numUpdatedRows > 0n
  },

  async rewrite(db: Db, id: string, step: string): Promise<void> {
    await db.updateTable('file_steps').set({ step }).where('id', '=', id).execute()
  },

  /** @returns false when it is in another state, or gone */
  async remove(db: Db | Tx, id: string, state: StepRow['state']): Promise<boolean> {
    const removed = db.deleteFrom('file_steps').where('id', '=', id).where('state', '=', state)
    return (await removed.executeTakeFirst()).numDeletedRows > 0n
  },

  async forgetDone(db: Db | Tx, jobId: string): Promise<void> {
    await db.deleteFrom('file_steps').where('job_id', '=', jobId).where('state', '=', 'done').execute()
  },
}

/** Whether something that is booked to an account is on its way. */
export async function hasStepsOf(db: Db, userId: string): Promise<boolean> {
  const open = db.selectFrom('file_steps').select('id').where('bucket', '=', userId).where('state', '!=', 'done')
  return (await open.executeTakeFirst()) !== undefined
}

/** Bytes that copies under way have reserved: in an account's personal files, or in a group. */
export async function promisedBytes(
  db: Db,
  owner: { readonly userId: string; readonly groupId: number },
): Promise<number> {
  const row = await db
    .selectFrom('file_steps')
    .select((select) => select.fn.sum<number | null>('reserved_bytes').as('bytes'))
    .where('bucket', '=', bucketOf(owner))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** Ids of recycled items and of versions that are between their folder and the tree right now. */
export async function recycleIdsUnderWay(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('file_steps').select('step').where('state', '!=', 'done').execute()
  return new Set(rows.map(({ step }) => (JSON.parse(step) as { readonly recycleId: string }).recycleId))
}
