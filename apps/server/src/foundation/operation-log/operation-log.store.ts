import type { OperationLogFilter } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { OperationRow } from './operation-log.schema.ts'

export interface OperationFilter extends OperationLogFilter {
  /** Whatever else is asked, nobody's acts but this one's. */
  readonly onlyActorId: string | undefined
}

const HEAD = 1
/** SQLite allows 32,766 bound values in a statement. */
const ROWS_PER_STATEMENT = 500

/** The only SQL over the operation log. */
export const operationLogStore = {
  /**
   * Takes the end of the chain for this transaction, so that rows are sealed one after the other.
   * @param count rows to append
   * @returns the last row so far
   */
  async takeHead(tx: Tx, count: number): Promise<{ readonly seq: number; readonly hash: string }> {
    // A write, because it is the one lock that both databases know.
    const taken = await tx
      .updateTable('operation_log_head')
      .set((value) => ({ seq: value('seq', '+', count) }))
      .where('id', '=', HEAD)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) {
      await tx.insertInto('operation_log_head').values({ id: HEAD, seq: count, hash: '' }).execute()
      return { seq: 0, hash: '' }
    }
    const row = await tx.selectFrom('operation_log_head').selectAll().where('id', '=', HEAD).executeTakeFirstOrThrow()
    return { seq: Number(row.seq) - count, hash: row.hash }
  },
  /** Appends rows behind the head that was taken. */
  async insert(tx: Tx, rows: readonly OperationRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await tx
        .insertInto('operation_log')
        .values(rows.slice(at, at + ROWS_PER_STATEMENT))
        .execute()
    }
    const hash = rows.at(-1)?.hash
    if (hash !== undefined) await tx.updateTable('operation_log_head').set({ hash }).where('id', '=', HEAD).execute()
  },
  /** Newest first. */
  async page(db: Db, filter: OperationFilter, { page, size }: { readonly page: number; readonly size: number }) {
    const found = fitting(db, filter)
    const rows = await found
      .selectAll()
      .orderBy('seq', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  /** The end of the chain; undefined before the first row. */
  head: (db: Db) => db.selectFrom('operation_log_head').selectAll().where('id', '=', HEAD).executeTakeFirst(),
  /** @returns the number of the last row from before then; 0 when there is none */
  async lastBefore(db: Db, at: number): Promise<number> {
    const rows = db.selectFrom('operation_log').select('seq').where('at', '<', at)
    return Number((await rows.orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0)
  },
  /** Forgets rows from before then; the last one stays, because the next row is sealed to it. */
  async removeOlder(db: Db, before: number): Promise<void> {
    const last = db.selectFrom('operation_log_head').select('operation_log_head.seq').where('id', '=', HEAD)
    const remaining = await db
      .selectFrom('operation_log')
      .select((select) => select.fn.min('seq').as('seq'))
      .where('at', '>=', before)
      .executeTakeFirst()
    // By number and not by time: a clock that went back must not tear a hole into the chain.
    const bound = remaining?.seq ?? null
    const old = db.deleteFrom('operation_log')
    await (bound === null ? old.where('seq', '<', last) : old.where('seq', '<', bound)).execute()
  },
  /** Oldest first, those behind a row. */
  after: (db: Db, seq: number, limit: number): Promise<OperationRow[]> =>
    db.selectFrom('operation_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute(),
  /** Oldest first, in batches. */
  async *batches(db: Db, filter: OperationFilter): AsyncGenerator<OperationRow[]> {
    for (let after = 0; ;) {
      const found = fitting(db, filter).selectAll().where('seq', '>', after)
      const rows = await found.orderBy('seq').limit(ROWS_PER_STATEMENT).execute()
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows
      after = Number(last.seq)
    }
  },
  /** Newest first. */
  ofTarget: (db: Db | Tx, target: { readonly kind: string; readonly id: string }, limit: number) =>
    db
      .selectFrom('operation_log')
      .selectAll()
      .where('target_kind', '=', target.kind)
      .where('target_id', '=', target.id)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute(),
}

function fitting(db: Db, filter: OperationFilter) {
  const { from, to, text, actorId, onlyActorId, operation, targetKind, targetId, result } = filter
  const like = `%${(text ?? '').replaceAll(/[%\\]/g, '')}%`
  return db
    .selectFrom('operation_log')
    .$if(from !== undefined, (query) => query.where('at', '>=', from ?? 0))
    .$if(to !== undefined, (query) => query.where('at', '<', to ?? 0))
    .$if(actorId !== undefined, (query) => query.where('actor_id', '=', actorId ?? ''))
    .$if(onlyActorId !== undefined, (query) => query.where('actor_id', '=', onlyActorId ?? ''))
    .$if(operation !== undefined, (query) => query.where('operation', '=', operation ?? ''))
    .$if(targetKind !== undefined, (query) => query.where('target_kind', '=', targetKind ?? ''))
    .$if(targetId !== undefined, (query) => query.where('target_id', '=', targetId ?? ''))
    .$if(result !== undefined, (query) => query.where('result', result === 'ok' ? '=' : '!=', 'ok'))
    .$if((text ?? '') !== '', (query) =>
      query.where((where) => where.or([where('actor', 'like', like), where('target', 'like', like)])),
    )
}
