import {
  LIVE_TRANSFER_STATES,
  STATES_OF_GROUP,
  TRANSFER_STATES,
  TRANSFER_STATUS,
  type TransferGroup,
} from '@godwit/contract'
import type { FileFailure } from '@godwit/transfer'
import { sql, type Expression } from 'kysely'
import type { Db } from '../../kernel/db/index.ts'
import type { Figures } from './transfer-books.ts'
import type { TransferRow } from './transfers.schema.ts'
import type { TransferChange } from './transfers.store.ts'

const FILES_MAX = 1_000
const CLEAR_AT_ONCE = 1_000

export interface OwnFilter {
  readonly userId: string
  /** Folded; '' fits all. */
  readonly text: string
  readonly group?: TransferGroup | undefined
  readonly direction?: 'upload' | 'download' | undefined
  /** The last one of the page before. */
  readonly after?: { readonly status: number; readonly id: string } | undefined
}

/** The only SQL over the part of `transfers` that did not come by a client, and over the list of an account. */
export const historyStore = {
  async insert(db: Db, row: TransferRow, figures: Figures): Promise<void> {
    const { files, filesDone, bytes, bytesMoved, failures } = figures
    const moved = { bytes_done: bytesMoved, bytes_moved: bytesMoved }
    await db
      .insertInto('transfers')
      .values({ ...row, files, files_done: filesDone, bytes, ...moved, failures })
      .execute()
  },

  /** Adds to the figures of a transfer that is the account's own and not a client's. */
  async add(
    db: Db,
    { id, userId }: { readonly id: string; readonly userId: string },
    { figures, change }: { readonly figures: Figures; readonly change: TransferChange },
  ): Promise<void> {
    const { error, ...rest } = change
    await db
      .updateTable('transfers')
      .set({
        ...rest,
        ...(error === undefined || error === '' ? {} : { error }),
        files: plus('files', figures.files),
        files_done: plus('files_done', figures.filesDone),
        bytes: plus('bytes', figures.bytes),
        bytes_done: plus('bytes_done', figures.bytesMoved),
        bytes_moved: plus('bytes_moved', figures.bytesMoved),
        failures: plus('failures', figures.failures),
      })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('door', '<>', 'transfer')
      .execute()
  },

  /** Appends files that failed. */
  async addFiles(db: Db, id: string, failures: readonly FileFailure[]): Promise<void> {
    if (failures.length === 0) return
    const last = await db
      .selectFrom('transfer_files')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .where('transfer_id', '=', id)
      .executeTakeFirst()
    const from = last?.seq == null ? 0 : Number(last.seq) + 1
    const rows = failures.map(({ path, code }, at) => ({
      transfer_id: id,
      seq: from + at,
      path,
      code: code.slice(0, 64),
    }))
    const kept = rows.filter(({ seq }) => seq < FILES_MAX)
    if (kept.length > 0) await db.insertInto('transfer_files').values(kept).execute()
  },

  /** Those under way first, and within a status the newest. */
  list(db: Db, { userId, text, group, direction, after }: OwnFilter, limit: number): Promise<TransferRow[]> {
    const like = `%${text.replaceAll(/[%_\\]/g, '')}%`
    return db
      .selectFrom('transfers')
      .selectAll()
      .where('user_id', '=', userId)
      .where('is_cleared', '=', 0)
      .$if(group !== undefined, (query) => query.where('state', 'in', STATES_OF_GROUP[group ?? 'running']))
      .$if(direction !== undefined, (query) => query.where('direction', '=', direction ?? 'upload'))
      .$if(text !== '', (query) =>
        query.where((any) =>
          any.or([
            any(sql<string>`lower(label)`, 'like', like),
            any(sql<string>`lower(folder)`, 'like', like),
            any(sql<string>`lower(device)`, 'like', like),
          ]),
        ),
      )
      .$if(after !== undefined, (query) => query.where(isAfter(after ?? { status: 0, id: '' })))
      .orderBy(STATUS)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  },

  /** Takes those that are over off the account's list. @returns how many there were */
  async clear(db: Db, userId: string, ids: readonly string[] | undefined): Promise<number> {
    const { numUpdatedRows } = await db
      .updateTable('transfers')
      .set({ is_cleared: 1 })
      .where('user_id', '=', userId)
      .where('is_cleared', '=', 0)
      .where('state', 'not in', LIVE_TRANSFER_STATES)
      .$if(ids !== undefined, (query) => query.where('id', 'in', (ids ?? []).slice(0, CLEAR_AT_ONCE)))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  },
}

function plus(column: string, by: number) {
  return sql<number>`${sql.ref(column)} + ${by}`
}

/** The number of a row's state in the order of lists. */
const STATUS: Expression<number> = sql<number>`case ${sql.ref('state')} ${sql.join(
  TRANSFER_STATES.map((state) => sql`when ${sql.lit(state)} then ${sql.lit(TRANSFER_STATUS[state])}`),
  sql` `,
)} end`

function isAfter({ status, id }: { readonly status: number; readonly id: string }) {
  return sql<boolean>`(${STATUS} > ${sql.lit(status)} or (${STATUS} = ${sql.lit(status)} and ${sql.ref('id')} < ${id}))`
}
