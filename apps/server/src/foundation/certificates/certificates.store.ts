import type { Db, Tx } from '../../kernel/db/index.ts'
import type { CertificatesTable } from './certificates.schema.ts'

/** Earlier ones that are kept to look at. */
const KEPT = 20

/** The only SQL over `certificates`. */
export const certificatesStore = {
  /** What is asked every second: the id alone. */
  async currentId(db: Db): Promise<string | undefined> {
    const row = await db
      .selectFrom('certificates')
      .select('id')
      .where('in_force', '=', 1)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.id
  },
  current: (db: Db | Tx): Promise<CertificatesTable | undefined> =>
    db
      .selectFrom('certificates')
      .selectAll()
      .where('in_force', '=', 1)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  /** Newest first, without keys. */
  all: (db: Db): Promise<Array<Omit<CertificatesTable, 'sealed_key'>>> =>
    db
      .selectFrom('certificates')
      .select(['id', 'in_force', 'source', 'pem', 'not_after', 'reminded_days', 'added_at', 'added_by'])
      .orderBy('id', 'desc')
      .execute(),
  /** Takes whatever is in force out of it; its key is gone for good. */
  async retire(tx: Tx): Promise<void> {
    await tx.updateTable('certificates').set({ in_force: 0, sealed_key: '' }).where('in_force', '=', 1).execute()
  },
  async insert(tx: Tx, row: CertificatesTable): Promise<void> {
    await tx.insertInto('certificates').values(row).execute()
    const oldest = await tx
      .selectFrom('certificates')
      .select('id')
      .orderBy('id', 'desc')
      .offset(KEPT)
      .limit(1)
      .execute()
    for (const { id } of oldest) await tx.deleteFrom('certificates').where('id', '<=', id).execute()
  },
  async remind(tx: Tx, id: string, days: number): Promise<void> {
    await tx.updateTable('certificates').set({ reminded_days: days }).where('id', '=', id).execute()
  },
}
