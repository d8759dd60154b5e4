import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import type { ServerStateTable } from './server-state.schema.ts'

const NAME = 'site'
const FRESH: ServerStateTable = { name: NAME, paused_at: null, order_id: '', order_kind: '' }

/** The only SQL over `server_state`. */
export const serverStateStore = {
  async read(db: Db | Tx): Promise<ServerStateTable> {
    const row = await db.selectFrom('server_state').selectAll().where('name', '=', NAME).executeTakeFirst()
    if (row === undefined) return FRESH
    return { ...row, paused_at: row.paused_at === null ? null : Number(row.paused_at) }
  },
  async change(tx: Tx, dialect: DialectName, change: Partial<Omit<ServerStateTable, 'name'>>): Promise<void> {
    const insert = tx.insertInto('server_state').values({ ...FRESH, ...change })
    await (
      dialect === 'mysql'
        ? insert.onDuplicateKeyUpdate(change)
        : insert.onConflict((conflict) => conflict.column('name').doUpdateSet(change))
    ).execute()
  },
}
