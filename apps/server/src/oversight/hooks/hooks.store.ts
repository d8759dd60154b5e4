import type { HookDeliveryState } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { HookDeliveryRow, HookRow } from './hooks.schema.ts'

/** The only SQL over `hooks`. */
export const hooksStore = {
  all: (db: Db | Tx): Promise<HookRow[]> => db.selectFrom('hooks').selectAll().orderBy('name_key').execute(),
  byId: (db: Db | Tx, id: string): Promise<HookRow | undefined> =>
    db.selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirst(),
  async insert(tx: Tx, row: HookRow): Promise<void> {
    await tx.insertInto('hooks').values(row).execute()
  },
  /** @returns false when somebody was first */
  async changeAt(
    tx: Tx,
    { id, revision }: Pick<HookRow, 'id' | 'revision'>,
    change: Partial<HookRow>,
  ): Promise<boolean> {
    const update = tx.updateTable('hooks').set({ ...change, revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  /** What the server does by itself leaves the revision alone. */
  async mark(
    db: Db,
    id: string,
    change: Pick<Partial<HookRow>, 'failing_since' | 'state' | 'given_up'>,
  ): Promise<void> {
    await db.updateTable('hooks').set(change).where('id', '=', id).execute()
  },
  async setSecret(tx: Tx, id: string, secretSealed: string): Promise<void> {
    await tx.updateTable('hooks').set({ secret_sealed: secretSealed }).where('id', '=', id).execute()
  },
  async remove(tx: Tx, id: string): Promise<void> {
    await tx.deleteFrom('hooks').where('id', '=', id).execute()
  },
}

/** SQLite allows 32,766 bound values in a statement, and MySQL 16 MiB of them unless it is told otherwise. */
const ROWS_PER_STATEMENT = 100

export interface DeliveryCount {
  readonly hookId: string
  readonly state: HookDeliveryState
  readonly count: number
}

/** The only SQL over `hook_deliveries`. */
export const deliveriesStore = {
  async insertAll(tx: Tx, rows: readonly HookDeliveryRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await tx
        .insertInto('hook_deliveries')
        .values(rows.slice(at, at + ROWS_PER_STATEMENT))
        .execute()
    }
  },
  /** Hooks in use with something to send now. */
  async dueHooks(db: Db, now: number): Promise<string[]> {
    const rows = await db
      .selectFrom('hook_deliveries')
      .innerJoin('hooks', 'hooks.id', 'hook_deliveries.hook_id')
      .select('hook_deliveries.hook_id')
      .distinct()
      .where('hooks.state', '=', 'activated')
      .where('hook_deliveries.state', '=', 'waiting')
      .where('hook_deliveries.next_at', '<=', now)
      .execute()
    return rows.map(({ hook_id: id }) => id)
  },
  due: (db: Db, hookId: string, { now, limit }: { now: number; limit: number }): Promise<HookDeliveryRow[]> =>
    db
      .selectFrom('hook_deliveries')
      .selectAll()
      .where('hook_id', '=', hookId)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .orderBy('id')
      .limit(limit)
      .execute(),
  async change(db: Db, id: string, change: Partial<HookDeliveryRow>): Promise<void> {
    await db.updateTable('hook_deliveries').set(change).where('id', '=', id).execute()
  },
  /** Newest first. */
  async page(
    db: Db,
    { hookId, state }: { hookId: string; state: HookDeliveryState | undefined },
    { page, size }: { page: number; size: number },
  ) {
    const found = db
      .selectFrom('hook_deliveries')
      .where('hook_id', '=', hookId)
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'waiting'))
    const rows = await found
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  async counts(db: Db): Promise<DeliveryCount[]> {
    const rows = await db
      .selectFrom('hook_deliveries')
      .select(['hook_id', 'state', (select) => select.fn.countAll<number>().as('n')])
      .where('state', 'in', ['waiting', 'failed'])
      .groupBy(['hook_id', 'state'])
      .execute()
    return rows.map(({ hook_id: hookId, state, n }) => ({ hookId, state, count: Number(n) }))
  },
  /** These, or all that were given up, wait again. @returns how many */
  async replay(tx: Tx, hookId: string, { ids, now }: { ids: readonly string[] | undefined; now: number }) {
    const update = tx
      .updateTable('hook_deliveries')
      .set({ state: 'waiting', attempts: 0, next_at: now })
      .where('hook_id', '=', hookId)
      .$if(ids === undefined, (query) => query.where('state', '=', 'failed'))
      .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []).where('state', '!=', 'waiting'))
    return Number((await update.executeTakeFirst()).numUpdatedRows)
  },
  async purge(db: Db, before: number): Promise<void> {
    await db.deleteFrom('hook_deliveries').where('created_at', '<', before).execute()
  },
}
