import type { DirectoryChange } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SyncChangeRow, SyncRow } from './providers.schema.ts'

const ROWS_PER_STATEMENT = 1000

interface Page {
  readonly page: number
  readonly size: number
}

/** The only SQL over synchronizations. */
export const syncsStore = {
  async insert(tx: Tx, row: SyncRow): Promise<void> {
    await tx.insertInto('directory_syncs').values(row).execute()
  },
  byId: (db: Db | Tx, id: string): Promise<SyncRow | undefined> =>
    db.selectFrom('directory_syncs').selectAll().where('id', '=', id).executeTakeFirst(),
  async change(db: Db | Tx, id: string, change: Partial<Omit<SyncRow, 'id'>>): Promise<void> {
    await db.updateTable('directory_syncs').set(change).where('id', '=', id).execute()
  },
  /** One that is waiting or under way. */
  openOf: (db: Db | Tx, providerId: number): Promise<SyncRow | undefined> =>
    db
      .selectFrom('directory_syncs')
      .selectAll()
      .where('provider_id', '=', providerId)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst(),
  /** The newest one that was meant to change something, of those that began before a time. */
  lastOf: (db: Db | Tx, providerId: number, before: number): Promise<SyncRow | undefined> =>
    db
      .selectFrom('directory_syncs')
      .selectAll()
      .where('provider_id', '=', providerId)
      .where('dry_run', '=', 0)
      .where('started_at', '<', before)
      .orderBy('started_at', 'desc')
      .executeTakeFirst(),
  async page(db: Db, providerId: number | undefined, { page, size }: Page) {
    const found = db
      .selectFrom('directory_syncs')
      .$if(providerId !== undefined, (query) => query.where('provider_id', '=', providerId ?? 0))
    const rows = await found
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  async writeChanges(tx: Tx, rows: readonly SyncChangeRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
      await tx
        .insertInto('directory_sync_changes')
        .values(rows.slice(at, at + ROWS_PER_STATEMENT))
        .execute()
  },
  async forgetChanges(tx: Tx, syncId: string): Promise<void> {
    await tx.deleteFrom('directory_sync_changes').where('sync_id', '=', syncId).execute()
  },
  async changesPage(db: Db, wanted: { syncId: string; change: DirectoryChange | undefined }, { page, size }: Page) {
    const found = db
      .selectFrom('directory_sync_changes')
      .where('sync_id', '=', wanted.syncId)
      .$if(wanted.change !== undefined, (query) => query.where('kind', '=', wanted.change ?? 'add'))
    const rows = await found
      .selectAll()
      .orderBy('seq')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  /** Keeps the newest ones of a provider. */
  async forgetOlder(tx: Tx, providerId: number, kept: number): Promise<void> {
    const old = await tx
      .selectFrom('directory_syncs')
      .select('id')
      .where('provider_id', '=', providerId)
      .orderBy('id', 'desc')
      .limit(1000)
      .offset(kept)
      .execute()
    for (const { id } of old) {
      await syncsStore.forgetChanges(tx, id)
      await tx.deleteFrom('directory_syncs').where('id', '=', id).execute()
    }
  },
}
