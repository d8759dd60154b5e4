import type { Db, Tx } from '../../kernel/db/index.ts'
import type { ProviderRow } from './providers.schema.ts'

/** The only SQL over providers. */
export const providersStore = {
  /** In the order in which they are asked. */
  all: (db: Db | Tx): Promise<ProviderRow[]> =>
    db.selectFrom('auth_providers').selectAll().orderBy('place').orderBy('id').execute(),
  byId: (db: Db | Tx, id: number): Promise<ProviderRow | undefined> =>
    db.selectFrom('auth_providers').selectAll().where('id', '=', id).executeTakeFirst(),
  async insert(tx: Tx, row: Omit<ProviderRow, 'id'>): Promise<number> {
    return Number((await tx.insertInto('auth_providers').values(row).executeTakeFirstOrThrow()).insertId)
  },
  async change(tx: Tx, id: number, change: Partial<Omit<ProviderRow, 'id'>>): Promise<void> {
    await tx.updateTable('auth_providers').set(change).where('id', '=', id).execute()
  },
  /** Keeps others from it until the transaction ends. To be called before anything is read in it. */
  async hold(tx: Tx, id: number): Promise<void> {
    const update = tx.updateTable('auth_providers').set((row) => ({ place: row.ref('place') }))
    await update.where('id', '=', id).execute()
  },
  /** @returns false when somebody was first */
  async changeAt(tx: Tx, { id, revision }: { id: number; revision: number }, change: Partial<Omit<ProviderRow, 'id'>>) {
    const update = tx.updateTable('auth_providers').set({ ...change, revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  /** Accounts that came from it stay, linked to nothing. */
  async remove(tx: Tx, id: number): Promise<void> {
    await tx.deleteFrom('external_accounts').where('provider_id', '=', id).execute()
    await tx.deleteFrom('auth_providers').where('id', '=', id).execute()
  },
  async accountCounts(db: Db | Tx): Promise<ReadonlyMap<number, number>> {
    const rows = await db
      .selectFrom('external_accounts')
      .select(['provider_id', (select) => select.fn.countAll<number>().as('n')])
      .groupBy('provider_id')
      .execute()
    return new Map(rows.map(({ provider_id: id, n }) => [id, Number(n)]))
  },
}
