import { sql } from 'kysely'
import { databaseNow, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import type { LeaseRow } from './intake.schema.ts'

/** What leases are taken on: an upload, or a batch of small files. */
export interface LeaseSubject {
  readonly table: 'uploads' | 'intake_batches'
  readonly id: string
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** The only SQL over `intake_leases`. */
export const leasesStore = {
  /**
   * The next fence of a subject. Its row stays locked until the transaction ends, so that of two nodes one decides after
   * the other. @returns undefined when there is no such subject
   */
  async nextFence(tx: Tx, { table, id }: LeaseSubject): Promise<number | undefined> {
    const next = sql<number>`fence + 1`
    const update =
      table === 'uploads'
        ? tx.updateTable('uploads').set({ fence: next }).where('id', '=', id)
        : tx.updateTable('intake_batches').set({ fence: next }).where('id', '=', id)
    if ((await update.executeTakeFirst()).numUpdatedRows === 0n) return undefined
    const row = await tx.selectFrom(table).select('fence').where('id', '=', id).executeTakeFirst()
    return row && Number(row.fence)
  },

  /** Unix milliseconds by the database's clock: those of the nodes may differ. */
  async now(tx: Tx, dialect: DialectName): Promise<number> {
    const { rows } = await sql<{ now: string | number }>`select ${databaseNow(dialect)} as now`.execute(tx)
    return Number(rows[0]?.now)
  },

  /** Leases on bytes of [start, end). */
  async overlapping(tx: Tx, subjectId: string, { start, end }: Span): Promise<LeaseRow[]> {
    const rows = await tx.selectFrom('intake_leases').selectAll().where('subject_id', '=', subjectId).execute()
    return rows.filter((row) => Number(row.start_at) < end && start < Number(row.end_at))
  },

  async insert(tx: Tx, row: LeaseRow): Promise<void> {
    await tx.insertInto('intake_leases').values(row).execute()
  },

  async revoke(tx: Tx, subjectId: string, fences: readonly number[]): Promise<void> {
    const revoked = tx.updateTable('intake_leases').set({ is_revoked: 1 }).where('subject_id', '=', subjectId)
    await revoked.where('fence', 'in', fences).execute()
  },

  async remove(db: Db | Tx, subjectId: string, fences: readonly number[]): Promise<void> {
    const removed = db.deleteFrom('intake_leases').where('subject_id', '=', subjectId)
    await removed.where('fence', 'in', fences).execute()
  },

  /** Keeps the row from being taken over until the transaction ends. @returns false when it is gone */
  async lock(tx: Tx, subjectId: string, fence: number): Promise<boolean> {
    const touched = tx.updateTable('intake_leases').set({ fence }).where('subject_id', '=', subjectId)
    return (await touched.where('fence', '=', fence).executeTakeFirst()).numUpdatedRows > 0n
  },

  ofOwner(db: Db | Tx, owner: string): Promise<LeaseRow[]> {
    return db.selectFrom('intake_leases').selectAll().where('owner', '=', owner).execute()
  },

  async renew(db: Db | Tx, owner: string, expiresAt: number): Promise<void> {
    await db.updateTable('intake_leases').set({ expires_at: expiresAt }).where('owner', '=', owner).execute()
  },
}
