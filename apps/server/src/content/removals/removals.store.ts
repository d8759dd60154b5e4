import { sql, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { RemovedAccountRow } from './removals.schema.ts'

type Change = Partial<Omit<RemovedAccountRow, 'id'>>

/** The only SQL over `removed_accounts`. */
export const removalsStore = {
  async insert(tx: Tx, row: RemovedAccountRow): Promise<void> {
    await tx.insertInto('removed_accounts').values(row).execute()
  },

  byId(db: Db | Tx, id: string): Promise<RemovedAccountRow | undefined> {
    return db.selectFrom('removed_accounts').selectAll().where('id', '=', id).executeTakeFirst()
  },

  /** The last removed first. */
  async page(
    db: Db,
    { text, page, size }: { readonly text: string; readonly page: number; readonly size: number },
  ): Promise<{ readonly rows: RemovedAccountRow[]; readonly total: number }> {
    const all = db.selectFrom('removed_accounts')
    const found =
      text === ''
        ? all
        : all.where((where) =>
            where.or([
              sql<SqlBool>`instr(lower(account), ${text.toLowerCase()}) > 0`,
              sql<SqlBool>`instr(lower(name), ${text.toLowerCase()}) > 0`,
            ]),
          )
    const rows = await found
      .selectAll()
      .orderBy('removed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const count = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(count?.n ?? 0) }
  },

  /** Begins anew with what stands still. @returns false while a job is at work, or there is nothing left */
  async take(tx: Tx, id: string, change: Change): Promise<boolean> {
    const update = tx.updateTable('removed_accounts').set(change).where('id', '=', id)
    return (await update.where('state', 'in', ['kept', 'failed']).executeTakeFirst()).numUpdatedRows > 0n
  },

  /** Changes what this job works on. @returns false when another one does */
  async change(tx: Db | Tx, { id, jobId }: { readonly id: string; readonly jobId: string }, change: Change) {
    const update = tx.updateTable('removed_accounts').set(change).where('id', '=', id).where('job_id', '=', jobId)
    return (await update.where('state', '=', 'working').executeTakeFirst()).numUpdatedRows > 0n
  },

  /** The job ended without having done its work. */
  async fail(db: Db, jobId: string): Promise<void> {
    const update = db.updateTable('removed_accounts').set({ state: 'failed' })
    await update.where('job_id', '=', jobId).where('state', '=', 'working').execute()
  },

  /** Every space there is. */
  async spaceIds(db: Db): Promise<number[]> {
    return (await db.selectFrom('spaces').select('id').execute()).map(({ id }) => id)
  },
}
