import type { AdminTransfer, TransferState } from '@godwit/contract'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/index.ts'
import { LIVE_STATES } from './transfers.machine.ts'
import { presentTransfer } from './transfers.present.ts'

export interface TransfersFilter {
  /** Part of an account, a name, a device or an address, folded; '' fits all. */
  readonly text: string
  /** Undefined: both. */
  readonly isLive?: boolean | undefined
  readonly state?: TransferState | undefined
  readonly direction?: 'upload' | 'download' | undefined
  readonly userId?: string | undefined
  /** What the caller's scope leaves; undefined: everything. */
  readonly onlyUserId: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Everyone's transfers, as an administrator lists them. */
export const transfersSearch = {
  async page(db: Db, filter: TransfersFilter, { page, size }: { readonly page: number; readonly size: number }) {
    const found = fitting(db, filter)
    const rows = await found
      .selectAll('transfers')
      .select(['users.account', 'users.name as userName'])
      .orderBy('transfers.id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const count = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows: rows.map(present), total: Number(count?.n ?? 0) }
  },

  /** Those that move bytes now. */
  async countRunning(db: Db): Promise<number> {
    const row = await db
      .selectFrom('transfers')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('state', '=', 'running')
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  },

  async byIds(db: Db, ids: readonly string[], onlyUserId: string | undefined): Promise<AdminTransfer[]> {
    const rows = await fitting(db, { text: '', onlyUserId })
      .selectAll('transfers')
      .select(['users.account', 'users.name as userName'])
      .where('transfers.id', 'in', ids)
      .execute()
    return rows.map(present)
  },
}

type FoundRow = Parameters<typeof presentTransfer>[0] & { readonly account: string; readonly userName: string }

function present(row: FoundRow): AdminTransfer {
  return { ...presentTransfer(row), userId: row.user_id, account: row.account, userName: row.userName }
}

function fitting(db: Db, filter: TransfersFilter) {
  const { text, isLive, state, direction, userId, onlyUserId, from, to } = filter
  const like = `%${text.replaceAll(/[%_\\]/g, '')}%`
  return db
    .selectFrom('transfers')
    .innerJoin('users', 'users.id', 'transfers.user_id')
    .$if(onlyUserId !== undefined, (query) => query.where('transfers.user_id', '=', onlyUserId ?? ''))
    .$if(userId !== undefined, (query) => query.where('transfers.user_id', '=', userId ?? ''))
    .$if(isLive !== undefined, (query) =>
      query.where('transfers.state', isLive === true ? 'in' : 'not in', LIVE_STATES),
    )
    .$if(state !== undefined, (query) => query.where('transfers.state', '=', state ?? 'running'))
    .$if(direction !== undefined, (query) => query.where('transfers.direction', '=', direction ?? 'upload'))
    .$if(from !== undefined, (query) => query.where('transfers.created_at', '>=', from ?? 0))
    .$if(to !== undefined, (query) => query.where('transfers.created_at', '<=', to ?? 0))
    .$if(text !== '', (query) =>
      query.where((any) =>
        any.or([
          any('users.account_key', 'like', like),
          any(sql<string>`lower(transfers.label)`, 'like', like),
          any(sql<string>`lower(transfers.device)`, 'like', like),
          any('transfers.address', 'like', like),
        ]),
      ),
    )
}
